# SPDX-License-Identifier: BSD-3-Clause
"""A small HDTrace project in the original format (of the C library and the merger), with content made for tests."""

from __future__ import annotations

import struct
from pathlib import Path

PROJECT = """<?xml version="1.0" encoding="UTF-8"?><Application name="little">
<Description>two processes and a server</Description>
 <FileList>
 <File name="pvfs2://pvfs2/out.dat">
  <InitialSize>4096</InitialSize>
  <Distribution class="SimpleStripe"><ChunkSize>64K</ChunkSize></Distribution>
 </File>
 </FileList>

 <Topology>
  <Level type="Hostname">
   <Level type="Rank">
    <Level type="Thread">
    </Level>
   </Level>
  </Level>

  <Node name="node06">
   <Node name="0">
    <Node name="0" />
   </Node>
  </Node>
  <Node name="node07">
   <Node name="1">
    <Node name="0" />
   </Node>
  </Node>
  <Node name="server0" type="Layer">
   <Node name="TROVE"/>
  </Node>
 </Topology>

 <CommunicatorList>
  <Communicator name="WORLD">
   <Rank global="0" local="0" cid="0" />
   <Rank global="1" local="1" cid="0" />
  </Communicator>
 </CommunicatorList>

 <Datatypes>
  <Rank name="0" thread="0">
  <NAMED id="0" name="MPI_DOUBLE"  />
  <VECTOR id="1" name="" count="10" blocklength="1" stride="810" oldType="0"  />
  <STRUCT id="2" name="" count="2" >
   <Type id="0" displacement="0" blocklen="1"/>
   <Type id="1" displacement="8" blocklen="1"/>
  </STRUCT>
  </Rank>
 </Datatypes>
<ExternalStatistics>
\t<Energy/>
\t<TROVE/>
</ExternalStatistics>
</Application>
"""
BEGIN_S = 1246362518  # 2009-06-30
RANK0 = f"""<Program timeAdjustment='{BEGIN_S}'>
<File_open cid='0' name='pvfs2://pvfs2/out.dat' flags='5' fid='0'  time='0.100000' end='0.150000'/>
<Nested>
  <Send size='4' count='4' tid='2' toRank='1' toTag='3' cid='0'  time='0.200010' end='0.200020'/>
  <Nested>
    <Recv fromRank='1' fromTag='2' cid='0'  time='0.200040' end='0.200050'/>
  </Nested>
  <Bcast size='4' rootRank='0' cid='0' count='1' tid='0'  time='0.200030' end='0.200060'/>
</Nested>
<Allreduce size='4' cid='0' count='1' tid='0'  time='0.200000' end='0.200070'/>
<File_write_at fid='0' offset='512' size='80' count='1' tid='1' rel='0'  time='1.500000' end='2.500000'/>
</Program>

"""
RANK1 = f"""<Program timeAdjustment='{BEGIN_S + 1}'>
<Allreduce size='4' cid='0' count='1' tid='0'  time='-0.900000' end='0.200070'/>
<Finalize  time='2.000000' end='2.250000'/>
</Program>

"""
RELATIONS0 = f"""<relation version="1" hostID="node06" localToken="4711" topologyNumber="0" timeAdjustment="{BEGIN_S}">
<rel t="0" time="1.500000"/><s name="File_write_at" t="0" time="1.500000"/><e t="0" time="2.500000"/><un t="0" time="2.500000"/>
</relation>
"""
RELATIONS_TROVE = f"""<relation version="1" hostID="server0" localToken="99" topologyNumber="3" timeAdjustment="{BEGIN_S}">
<rel t="0" time="1.600000" r="node06:4711:0:0"/><s name="bstream_write" t="0" time="1.600000" size="80" offset="512"/>
<rel t="1" time="1.700000" p="3:0"/><s name="seek" t="1" time="1.700000"/><e t="1" time="1.800000"/><un t="1" time="1.800000"/>
<e t="0" time="2.000000"/><un t="0" time="2.000000"/>
</relation>
"""


def statistics(node: list[str], name: str, columns: str, kind: str, rows: list[tuple[float, ...]]) -> bytes:
    """A group's statistics file. Each row has seconds after BEGIN_S, then the values. Values of the first row are left
    out, because it only gives the begin of the first interval.
    """
    labels = "".join(f'<Label value="{label}">' for label in node) + "</Label>" * len(node)
    header = (
        f"<Statistics>\n<TopologyNode>\n{labels}</TopologyNode>\n"
        f'<Group name="{name}" timestampDatatype="EPOCH" timeAdjustment="0000000000.000000000">\n{columns}'
        "</Group>\n</Statistics>\n"
    ).encode()
    data = f"{len(header):05d}\n".encode() + header
    for number, (when, *values) in enumerate(rows):
        us = round(when * 1e6)
        data += struct.pack(">ii", BEGIN_S + us // 10**6, us % 10**6 * 1000)
        if number > 0:
            data += struct.pack(f">{kind}", *values)
    return data


ENERGY = statistics(
    ["node06"],
    "Energy",
    '  <Value name="Utrms" type="FLOAT" unit="V" />\n  <Value name="P" type="FLOAT" unit="W" />\n',
    "ff",
    [(0.0,), (0.05, 230.0, 120.5), (0.1, 229.5, 130.25)],
)
TROVE = statistics(
    ["server0", "TROVE"],
    "TROVE",
    '  <Value name="TROVE" type="INT32" unit="#" />\n',
    "i",
    [(1.0,), (1.6, 1), (2.0, 0)],
)


def make(folder: Path) -> Path:
    """Writes the project into the folder, which it makes. Returns the project's file."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "little.proj": PROJECT,
        "little_node06_0_0.trc": RANK0,
        "little_node07_1_0.trc": RANK1,
        "little_node06_0_0.rel": RELATIONS0,
        "little_server0_TROVE.rel": RELATIONS_TROVE,
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "little_node06_Energy.stat").write_bytes(ENERGY)
    (folder / "little_server0_TROVE_TROVE.stat").write_bytes(TROVE)
    return folder / "little.proj"
