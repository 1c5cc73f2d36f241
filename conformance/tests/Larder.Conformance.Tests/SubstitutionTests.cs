using System.Text.Json.Nodes;

namespace Larder.Conformance.Tests;

public sealed class SubstitutionTests
{
    private readonly Substitution _substitution = new("python-unary");

    private string Fill(string json) => _substitution.Fill((JsonObject)JsonNode.Parse(json)!).ToJsonString();

    [Fact]
    public void Fill_replaces_every_run_placeholder_with_the_run_name() =>
        Assert.Equal("""{"a":"x-python-unary","b":[{"c":"python-unary"}],"n":1}""", Fill("""{"a":"x-{run}","b":[{"c":"{run}"}],"n":1}"""));

    [Fact]
    public void Fill_inserts_saved_field_into_later_steps()
    {
        _substitution.Keep((JsonObject)JsonNode.Parse("""{"hashBase64":"h"}""")!, (JsonObject)JsonNode.Parse("""{"hashBase64":"AQI="}""")!);
        Assert.Equal("""{"hashBase64":"AQI="}""", Fill("""{"hashBase64":"$h"}"""));
    }

    [Fact]
    public void Fill_pads_text_to_given_length() =>
        Assert.Equal(255, _substitution.Fill(new JsonObject { ["cache"] = "{run}{pad255}" })["cache"]!.GetValue<string>().Length);

    [Fact]
    public void ExpandSizes_replaces_valueSizeBytes_with_a_value_of_that_size()
    {
        var request = (JsonObject)JsonNode.Parse("""{"items":[{"key":"k","valueSizeBytes":3}]}""")!;
        Substitution.ExpandSizes(request);
        Assert.Equal("""{"items":[{"key":"k","value":"xxx"}]}""", request.ToJsonString());
    }

    [Fact]
    public void Fill_expands_repeated_list_elements() => Assert.Equal(
        """{"elements":["e0-x",["e0",0],["e1",1]],"none":[]}""",
        Fill("""{"elements":[{"repeat":1,"of":"e{i}-x"},{"repeat":2,"of":["e{i}","{i}"]}],"none":[{"repeat":0,"of":"e"}]}"""));
}
