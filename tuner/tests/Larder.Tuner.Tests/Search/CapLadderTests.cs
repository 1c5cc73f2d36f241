using Larder.Tuner.Search;

namespace Larder.Tuner.Tests.Search;

public sealed class CapLadderTests
{
    [Theory]
    [InlineData(1, new[] { 1 })]
    [InlineData(2, new[] { 1, 2 })]
    [InlineData(13, new[] { 1, 2, 3, 5, 8, 13 })]
    [InlineData(15, new[] { 1, 2, 3, 5, 8, 13, 15 })]
    public void It_climbs_as_the_knees_search_does_and_ends_with_the_largest(int most, int[] rungs) => Assert.Equal(rungs, CapLadder.UpTo(most));
}
