using System.Text.Json.Nodes;
using Larder.Conformance.Hostile;

namespace Larder.Conformance.Tests.Hostile;

public sealed class NeighbourTimesTests
{
    [Theory]
    [InlineData("[[500,99],[1000,1]]", 0.5)]
    [InlineData("[[500,98],[1000,2]]", 1.0)]
    [InlineData("[[2047,1]]", 2.047)]
    // Index 2,048 counts the values 2,048 and 2,049 ns. Index 8,192 begins at 131,072 ns, and each index from there covers 128 ns.
    [InlineData("[[2048,1]]", 2.049)]
    [InlineData("[[8192,1]]", 131.199)]
    public void P99Us_returns_upper_value_of_histogram_bucket(string counts, double us) =>
        Assert.Equal(us, NeighbourTimes.P99Us(new JsonObject { ["histogram"] = new JsonObject { ["counts"] = JsonNode.Parse(counts) } }), 3);
}
