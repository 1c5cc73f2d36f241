using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

public sealed class PrefixSetTests
{
    [Fact]
    public void Covers_is_true_for_keys_with_one_of_the_prefixes()
    {
        Random random = new(7);
        for (int round = 0; round < 5_000; round++)
        {
            byte[][] prefixes = [.. Enumerable.Range(0, random.Next(8)).Select(_ => Near(random, 1))];
            byte[] key = Near(random, 0);
            PrefixSet set = new(prefixes);
            Assert.Equal(prefixes.Any(each => key.AsSpan().StartsWith(each)), set.Covers(key));
            Assert.Equal(prefixes.Length == 0, set.IsEmpty);
            Assert.All(prefixes, each => Assert.True(set.Covers(each)));
        }
    }

    [Fact]
    public void Exact_key_covers_itself_but_not_longer_keys()
    {
        Random random = new(8);
        for (int round = 0; round < 5_000; round++)
        {
            byte[][] prefixes = [.. Enumerable.Range(0, random.Next(4)).Select(_ => Near(random, 1))];
            byte[][] keys = [.. Enumerable.Range(0, random.Next(4)).Select(_ => Near(random, 1))];
            byte[] key = Near(random, 0);
            PrefixSet set = new(prefixes, keys);
            bool isWithin = prefixes.Any(each => key.AsSpan().StartsWith(each));
            Assert.Equal(isWithin || keys.Any(each => key.AsSpan().SequenceEqual(each)), set.Covers(key));
            Assert.Equal(isWithin, set.CoversAll(key));
            Assert.Equal(prefixes.Length + keys.Length == 0, set.IsEmpty);
        }
    }

    // The keys are short and have few distinct bytes, so that some keys are prefixes of others.
    private static byte[] Near(Random random, int least) =>
        [.. Enumerable.Range(0, random.Next(least, 5)).Select(_ => random.Next(3) switch { 0 => (byte)0, 1 => (byte)1, _ => (byte)0xFF })];
}
