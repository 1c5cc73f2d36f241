using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Compares slots with the cluster specification and with the CLUSTER KEYSLOT command of a real server.</summary>
public sealed class KeySlotTests
{
    [Fact]
    public void Crc16_matches_cluster_specification() => Assert.Equal(0x31C3, KeySlot.Crc16("123456789"u8));

    [Theory]
    [InlineData("", 0)]
    [InlineData("foo", 12182)]
    [InlineData("bar", 5061)]
    [InlineData("{user1000}.following", 3443)]
    [InlineData("{user1000}.followers", 3443)]
    [InlineData("foo{}{bar}", 8363)]
    [InlineData("foo{{bar}}zap", 4015)]
    [InlineData("foo{bar}{zap}", 5061)]
    [InlineData("L7.1:{bar}x", 5061)]
    public void Slot_is_computed_from_hash_tag(string key, int slot) => Assert.Equal(slot, KeySlot.Of(Encoding.UTF8.GetBytes(key)));
}
