using Larder.Near.Tests.Exploring;
using Larder.Near.Tests.Safeguards;

namespace Larder.Near.Tests.Promise;

/// <summary>Tests each safeguard by removing it. A guarantee must then be violated, unless another safeguard covers the same cases.</summary>
public sealed class RemovalTests
{
    public static TheoryData<string> Missed => [.. Removal.All.Select(static removal => $"{removal.Safeguard}")];

    public static TheoryData<string> NotMissed => [.. Removal.NotNeeded.Select(static one => $"{one.Removal.Safeguard}")];

    [Theory]
    [MemberData(nameof(Missed))]
    public void Removing_a_safeguard_violates_the_guarantees(string name)
    {
        Removal removal = Removal.All.Single(removal => $"{removal.Safeguard}" == name);

        Exploration found = removal.Explore();

        Assert.True(found.Violation is not null, $"{removal.Text}: {found.States} states, and none breaks the promise");
    }

    [Theory]
    [MemberData(nameof(NotMissed))]
    public void Removing_a_redundant_safeguard_keeps_the_guarantees(string name)
    {
        (Removal removal, string why) = Removal.NotNeeded.Single(one => $"{one.Removal.Safeguard}" == name);

        Exploration found = removal.Explore();

        Assert.True(found.IsComplete, $"{why}? {found.Violation}:\n{string.Join('\n', found.Way)}");
    }

    [Fact]
    public void Removal_tests_cover_every_safeguard_exactly_once()
    {
        IEnumerable<Safeguard> removed = Removal.All.Concat(Removal.NotNeeded.Select(static one => one.Removal)).Select(static removal => removal.Safeguard);

        Assert.Equal(Enum.GetValues<Safeguard>().Where(static safeguard => safeguard != Safeguard.None), removed.Order());
    }
}
