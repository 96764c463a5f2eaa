// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/query.hpp"
#include "sw/monitors/supermon/core/sexpr.hpp"
#include "tests/catch.hpp"
#include "tests/volume.hpp"

#include <random>

using namespace hypermon;
using namespace hypermon::supermon;

namespace {

/// A list of expressions, or an atom.
struct Tree {
  bool is_list = false;
  std::string characters;
  std::vector<Tree> elements;
  bool operator==(const Tree&) const = default;
};

using Random = std::mt19937_64;

std::string drawn_atom(Random& random) {
  std::string characters;
  const bool any = random() % 3 == 0; // any byte
  for (std::uint64_t i = random() % 8; i > 0; --i)
    characters += static_cast<char>(any ? random() % 256 : 'a' + random() % 20);
  return characters;
}

Tree drawn(Random& random, int depth) {
  Tree tree;
  tree.is_list = depth > 0 && random() % 2 == 0;
  if (!tree.is_list) tree.characters = drawn_atom(random);
  if (tree.is_list)
    for (std::uint64_t i = random() % 5; i > 0; --i) tree.elements.push_back(drawn(random, depth - 1));
  return tree;
}

void write(const Tree& tree, SexprWriter& out) {
  if (!tree.is_list) {
    out.atom(tree.characters);
    return;
  }
  out.open();
  for (const Tree& element : tree.elements) write(element, out);
  out.close();
}

Tree read(const Sexpr& expression) {
  Tree tree;
  tree.is_list = expression.is_list();
  if (!tree.is_list) tree.characters = expression.atom();
  if (tree.is_list)
    for (const Sexpr element : expression) tree.elements.push_back(read(element));
  return tree;
}

std::string canonical(const Sexpr& expression) {
  SexprWriter out;
  write(read(expression), out);
  return out.take();
}

std::string error_of(const std::string& text) {
  try {
    const Document document(text);
    return "";
  } catch (const SexprError& error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("what is written is read again, to the byte") {
  Random random(1);
  for (std::uint64_t i = 0, n = hypermon::testing::cases_wanted(5000); i < n; ++i) {
    CAPTURE(i);
    const Tree tree = drawn(random, 5);
    SexprWriter out;
    write(tree, out);
    const std::string text = out.take();
    CAPTURE(text);
    const Document document(text);
    CHECK(read(document.root()) == tree);
    CHECK(document.root().text() == text);
  }
}

TEST_CASE("a text of any bytes is refused, or means what its canonical form does") {
  Random random(2);
  constexpr std::string_view likely = "((()))  ab1\"\"\\nx0f;\n";
  std::uint64_t read_well = 0;
  for (std::uint64_t i = 0, n = hypermon::testing::cases_wanted(20000); i < n; ++i) {
    std::string text;
    for (std::uint64_t length = random() % 12; length > 0; --length)
      text += random() % 20 == 0 ? static_cast<char>(random() % 256) : likely[random() % likely.size()];
    CAPTURE(i, text);
    try {
      const Document document(text);
      const std::string form = canonical(document.root());
      const Document again(form);
      CHECK(read(again.root()) == read(document.root()));
      CHECK(canonical(again.root()) == form);
      ++read_well;
    } catch (const SexprError& error) {
      CHECK(error.at() <= text.size());
    }
  }
  CHECK(read_well > 100);
}

TEST_CASE("whatever a writer is given, bare atoms are bare and others are quoted") {
  const auto atom = [](std::string_view characters) { return SexprWriter().atom(characters).take(); };
  CHECK(atom("cpu.busy") == "cpu.busy");
  CHECK(atom("") == "\"\"");
  CHECK(atom("a b") == "\"a b\"");
  CHECK(atom("a\"\\\n\t\r") == "\"a\\\"\\\\\\n\\t\\r\"");
  CHECK(atom(std::string_view("\0\x7f", 2)) == "\"\\x00\\x7f\"");
  CHECK(atom("a;b") == "\"a;b\"");
  CHECK(SexprWriter().integer(-3).take() == "-3");
  CHECK(SexprWriter().open("a").open().close().atom("b").close().take() == "(a () b)");
}

TEST_CASE("malformed texts are refused at the byte where they are") {
  CHECK(error_of("") == "malformed s-expression at byte 0: there is no expression");
  CHECK(error_of("  ") == "malformed s-expression at byte 2: there is no expression");
  CHECK(error_of("(a (b)") == "malformed s-expression at byte 0: the list that begins here does not end");
  CHECK(error_of("(a (b") == "malformed s-expression at byte 3: the list that begins here does not end");
  CHECK(error_of("(a))") == "malformed s-expression at byte 3: more behind the expression");
  CHECK(error_of(")") == "malformed s-expression at byte 0: ')' begins no expression");
  CHECK(error_of("(a \"b") == "malformed s-expression at byte 3: the quoted atom that begins here does not end");
  CHECK(error_of("(a \"b\"c)") == "malformed s-expression at byte 6: 'c' behind a quoted atom without a blank");
  CHECK(error_of("(a\\b)") == "malformed s-expression at byte 2: '\\' in an atom that is not quoted");
  CHECK(error_of("(\"\\q\")") == "malformed s-expression at byte 2: there is no such escape");
  CHECK(error_of("(\"\\x0g\")") == "malformed s-expression at byte 2: \\x must be followed by two hexadecimal digits");
  CHECK(error_of("(\"a\nb\")") == "malformed s-expression at byte 3: byte 0x0a in a quoted atom must be escaped");
  CHECK(error_of("(a \x01)") == "malformed s-expression at byte 3: byte 0x01 begins no expression");
  CHECK(error_of("a b") == "malformed s-expression at byte 2: more behind the expression");
}

TEST_CASE("lists are nested at most 256 deep") {
  CHECK(error_of(std::string(256, '(') + std::string(256, ')')).empty());
  CHECK(error_of(std::string(257, '(') + std::string(257, ')')) ==
        "malformed s-expression at byte 256: lists are nested too deep");
}

TEST_CASE("numbers are whole texts of 64 bits") {
  const auto parsed = [](const std::string& text) { return Document(text); };
  CHECK(parsed("-9223372036854775808").root().integer() == std::numeric_limits<std::int64_t>::min());
  CHECK(parsed("18446744073709551615").root().number() == std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"9223372036854775808", "1.5", "a", "\"1\"", "1a", "(1)", "+1"}) {
    CAPTURE(text);
    const Document document = parsed(text);
    CHECK_THROWS_AS(document.root().integer(), SexprError);
  }
}

TEST_CASE("a query is read as it was written, with what it asks for and nothing else") {
  Query query{.id = 17, .sink = 2, .nodes = NodeRuns::first(8).without(NodeRuns::single(NodeId{4}))};
  CHECK(supermon::write(query) == "(query 17 (sink 2) (nodes 0-3 5-7))");
  query.counters = {"cpu.busy", "own counter"};
  query.monhole = true;
  query.combine = Combining::sum;
  query.command = "(rate 2)";
  const std::string text = supermon::write(query);
  CHECK(text == "(query 17 (sink 2) (nodes 0-3 5-7) (kernel cpu.busy \"own counter\") (monhole) (combine sum) "
                "(command (rate 2)))");
  const Document document(text);
  const Query again = read_query(document.root());
  CHECK(supermon::write(again) == text);
  CHECK(again.counters == query.counters);
  const Document other("(answer 17)");
  CHECK_THROWS_AS(read_query(other.root()), SexprError);
}
