using System.Text.Json.Nodes;
using Larder.Harness;

namespace Larder.Conformance.Tests;

public sealed class VectorsTests
{
    private static readonly IReadOnlyList<Case> s_cases = Vectors.Load(Checkout.At("protocol/vectors"));

    [Fact]
    public void Every_case_names_a_rule_of_its_page()
    {
        foreach (Case vector in s_cases)
        {
            string page = File.ReadAllText(Path.Combine(Checkout.Root, "protocol/spec", vector.File + ".md"));
            Assert.Contains($"- **{vector.Rule}** ", page, StringComparison.Ordinal);
        }
    }

    /// <summary>Tests that each rule that no vector can test is listed in protocol/tests.json with an existing test.</summary>
    [Fact]
    public void Every_rule_has_a_vector_or_a_test()
    {
        JsonObject tests = JsonNode.Parse(Checkout.Read("protocol/tests.json"))!.AsObject();
        foreach ((string file, JsonNode? names) in tests.SelectMany(rule => rule.Value!.AsObject()))
        {
            string source = Checkout.Read(file);
            Assert.All(names!.AsArray(), name => Assert.Contains(name!.GetValue<string>(), source, StringComparison.Ordinal));
        }

        IEnumerable<string> shown = s_cases.Select(vector => vector.Rule).Concat(tests.Select(rule => rule.Key)).Concat(ClientFiles().SelectMany(RulesShown));
        Assert.Empty(Rules().Except(shown));
        Assert.Empty(tests.Select(rule => rule.Key).Except(Rules()));
    }

    [Fact]
    public void Every_specification_page_has_cases()
    {
        IEnumerable<string> pages = Directory.GetFiles(Checkout.At("protocol/spec"), "*.md")
            .Select(path => Path.GetFileNameWithoutExtension(path)!).Where(page => page != "README");
        Assert.Empty(pages.Except(s_cases.Select(vector => vector.File)).Except(ClientFiles().Select(path => Path.GetFileNameWithoutExtension(path)!)));
    }

    [Fact]
    public void Every_client_case_names_a_rule_of_its_page()
    {
        foreach (string path in ClientFiles())
        {
            string page = File.ReadAllText(Path.Combine(Checkout.Root, "protocol/spec", Path.GetFileNameWithoutExtension(path) + ".md"));
            Assert.Empty(RulesShown(path).Except(RulesOf(page)));
        }
    }

    [Fact]
    public void Cases_use_distinct_keys()
    {
        IEnumerable<string> owners = s_cases
            .SelectMany(vector => Keys(vector).Distinct().Select(key => (Key: $"{vector.File}/{key}", vector.Name, Own: vector.Open is not null)))
            .Where(use => !use.Own)
            .GroupBy(use => use.Key)
            .Where(uses => uses.Count() > 1)
            .Select(uses => uses.Key);
        Assert.Empty(owners);
    }

    /// <summary>
    /// Tests the names of topics. A case with its own agent or server uses a cache that all runs share. So if such a case counts all messages of a topic, the
    /// topic's name must be unique to the run.
    /// </summary>
    [Fact]
    public void Cases_that_count_messages_use_a_separate_topic_per_run()
    {
        IEnumerable<string> counted = s_cases
            .Where(vector => (vector.Open is not null || vector.Server.Count > 0) && vector.When["op"]!.GetValue<string>() == "next")
            .SelectMany(vector => vector.Given.Select(step => step["topic"]?.GetValue<string>()).OfType<string>());
        Assert.NotEmpty(counted);
        Assert.All(counted, topic => Assert.Contains("{run}", topic, StringComparison.Ordinal));
    }

    // The prefixes of the names of operations that store something.
    private static readonly string[] s_writers = ["set", "dictionary", "list", "sortedSet"];

    private static IEnumerable<string> Rules() =>
        Directory.GetFiles(Checkout.At("protocol/spec"), "*.md").SelectMany(path => RulesOf(File.ReadAllText(path)));

    private static IEnumerable<string> RulesOf(string page) =>
        page.Split('\n').Where(line => line.StartsWith("- **", StringComparison.Ordinal)).Select(line => line.Split("**")[1]);

    private static IEnumerable<string> RulesShown(string path) =>
        JsonNode.Parse(File.ReadAllText(path))!.AsArray().Select(each => each!["rule"]!.GetValue<string>());

    private static string[] ClientFiles() => Directory.GetFiles(Checkout.At("protocol/vectors/clients"), "*.json");

    private static IEnumerable<string> Keys(Case vector) => vector.Given.Append(vector.When)
        .Where(step => step["cache"] is null && s_writers.Any(word => step["op"]!.GetValue<string>().StartsWith(word, StringComparison.Ordinal)))
        .Select(step => (step["key"] ?? step["keyBase64"])?.GetValue<string>())
        .Where(key => !string.IsNullOrEmpty(key))
        .OfType<string>();
}
