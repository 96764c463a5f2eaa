// SPDX-License-Identifier: BSD-3-Clause
// Reads files of an HDTrace project by HDTrace's own classes: java Read PROJECT FILE...
// A line each: the file, and how many entries it has, or why it is refused.
import de.hd.pvs.TraceFormat.TraceFormatFileOpener;
import de.hd.pvs.TraceFormat.relation.RelationXMLReader;
import de.hd.pvs.TraceFormat.statistics.StatisticsReader;
import de.hd.pvs.TraceFormat.trace.StAXTraceFileReader;
import de.hd.pvs.TraceFormat.util.Epoch;

public class Read {
  static int entries(String file) throws Exception {
    int count = 0;
    if (file.endsWith(".proj")) {
      new TraceFormatFileOpener(file, true, StatisticsReader.class, StAXTraceFileReader.class, RelationXMLReader.class);
    } else if (file.endsWith(".stat")) {
      final StatisticsReader reader = new StatisticsReader(file);
      for (; !reader.isFinished(); ++count) reader.getNextInputEntry();
    } else if (file.endsWith(".trc")) {
      final StAXTraceFileReader reader = new StAXTraceFileReader(file, true, Epoch.ZERO);
      for (; reader.getNextInputEntry() != null; ++count) {}
    } else {
      final RelationXMLReader reader = new RelationXMLReader(file, Epoch.ZERO);
      for (; reader.getNextEntry() != null; ++count) {}
    }
    return count;
  }
  public static void main(String[] files) {
    for (final String file : files) {
      try {
        System.out.println("READ\t" + file + "\t" + entries(file));
      } catch (Throwable why) {
        System.out.println("REFUSED\t" + file + "\t" + why);
      }
    }
  }
}
