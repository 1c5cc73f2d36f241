namespace Larder.Conformance.Tests;

public sealed class VectorsTests
{
    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!Directory.Exists(Path.Combine(folder!.FullName, "protocol/vectors")))
        {
            folder = folder.Parent;
        }

        return folder.FullName;
    }

    private static readonly IReadOnlyList<Case> s_cases = Vectors.Load(Path.Combine(Root(), "protocol/vectors"));

    [Fact]
    public void Every_case_names_a_rule_that_its_page_of_the_spec_has()
    {
        foreach (var vector in s_cases)
        {
            var page = File.ReadAllText(Path.Combine(Root(), "protocol/spec", vector.File + ".md"));
            Assert.Contains($"- **{vector.Rule}** ", page, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Every_page_of_the_spec_has_cases()
    {
        var pages = Directory.GetFiles(Path.Combine(Root(), "protocol/spec"), "*.md")
            .Select(path => Path.GetFileNameWithoutExtension(path)!).Where(page => page != "README");
        Assert.Empty(pages.Except(s_cases.Select(vector => vector.File)));
    }

    [Fact]
    public void Cases_use_keys_of_their_own_so_that_they_can_run_side_by_side()
    {
        var owners = s_cases
            .SelectMany(vector => Keys(vector).Distinct().Select(key => (Key: $"{vector.File}/{key}", vector.Name, Own: vector.Open is not null)))
            .Where(use => !use.Own)
            .GroupBy(use => use.Key)
            .Where(uses => uses.Count() > 1)
            .Select(uses => uses.Key);
        Assert.Empty(owners);
    }

    private static IEnumerable<string> Keys(Case vector) => vector.Given.Append(vector.When)
        .Where(step => step["cache"] is null && step["op"]!.GetValue<string>().StartsWith("set", StringComparison.Ordinal))
        .Select(step => (step["key"] ?? step["keyBase64"])?.GetValue<string>())
        .Where(key => !string.IsNullOrEmpty(key))
        .OfType<string>();
}
