using System.Text.Json.Nodes;

namespace Larder.Conformance.Tests;

public sealed class CaseTests
{
    [Theory]
    [InlineData("""{"op":"setUnion","elements":["a",{"repeat":999,"of":"{i}"}]}""", false)]
    [InlineData("""{"op":"setUnion","elements":["a",{"repeat":1000,"of":"{i}"}]}""", true)]
    [InlineData("""{"op":"get","key":"repeat"}""", false)]
    public void IsLarge_is_true_only_for_cases_with_very_long_lists(string step, bool isLarge)
    {
        JsonObject json = (JsonObject)JsonNode.Parse(step)!;
        Assert.Equal(isLarge, new Case("file", "A-1", "name", [], json, []).IsLarge);
        Assert.Equal(isLarge, new Case("file", "A-1", "name", [json], [], []).IsLarge);
    }
}
