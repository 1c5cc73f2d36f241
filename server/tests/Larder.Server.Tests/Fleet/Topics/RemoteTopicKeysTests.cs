using System.Text;
using Larder.Redis;
using Larder.Server.Fleet;

namespace Larder.Server.Tests.Fleet.Topics;

public sealed class RemoteTopicKeysTests
{
    private static readonly RemoteCache s_cache = new("cache", 1, 7);

    [Theory]
    [InlineData("t")]
    [InlineData("{tag}t")]
    [InlineData("größe/\0}{")]
    public void Both_keys_of_a_topic_hash_to_its_slot(string topic)
    {
        var keys = RemoteTopicKeys.Of(s_cache, topic);
        int slot = RemoteTopicKeys.Slot(keys.Index);
        Assert.Equal((slot, slot), (KeySlot.Of(keys.Stream), KeySlot.Of(keys.Place)));
        Assert.NotEqual(keys.Stream, keys.Place);
    }

    [Fact]
    public void Topics_without_a_shared_tag_are_spread_over_all_slots()
    {
        int[] indexes = [.. Enumerable.Range(0, 10_000).Select(static number => RemoteTopicKeys.Of(s_cache, $"topic {number}").Index)];
        Assert.All(Enumerable.Range(0, FleetLimits.TopicSlots), index => Assert.InRange(indexes.Count(each => each == index), 200, 450));
        Assert.Single(Enumerable.Range(0, 100).Select(static number => RemoteTopicKeys.Of(s_cache, $"{{tag}}{number}").Index).Distinct());
        Assert.Equal((256, KeySlot.Count - 256), (RemoteTopicKeys.Slot(0), RemoteTopicKeys.Slot(FleetLimits.TopicSlots - 1)));
    }

    [Fact]
    public void Topic_keys_survive_a_flush_and_differ_between_caches()
    {
        byte[] stream = RemoteTopicKeys.Of(s_cache, "t").Stream;
        Assert.Equal(stream, RemoteTopicKeys.Of(new RemoteCache("cache", 1, 8), "t").Stream);
        Assert.NotEqual(stream, RemoteTopicKeys.Of(new RemoteCache("cache", 2, 9), "t").Stream);
        // The whole directory was lost, and another cache then received the same number.
        Assert.NotEqual(stream, RemoteTopicKeys.Of(new RemoteCache("other", 1, 9), "t").Stream);
        Assert.NotEqual(stream, RemoteTopicKeys.Of(s_cache, "T").Stream);
    }

    [Fact]
    public void Topic_keys_match_only_the_pattern_of_their_cache()
    {
        string stream = Encoding.Latin1.GetString(RemoteTopicKeys.Of(s_cache, "t").Stream);
        Assert.StartsWith("Ts{", stream, StringComparison.Ordinal);
        Assert.Equal("T[sp]{*}1.*", Encoding.Latin1.GetString(RemoteTopicKeys.Pattern(1)));
        Assert.Contains("}1.", stream, StringComparison.Ordinal);
    }
}
