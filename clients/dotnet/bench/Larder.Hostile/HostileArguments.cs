using System.Buffers;
using System.Collections;
using Larder.Client;

namespace Larder.Hostile;

/// <summary>Generates random arguments of every kind. Most of them are valid, and some are invalid.</summary>
internal sealed class HostileArguments(Random random)
{
    public bool Chance(double share) => random.NextDouble() < share;

    public string Cache() => Chance(0.95) ? "cache" : Of<string>("", " ", null!, "none", "caché", new string('c', 300), "\ud800");

    public CacheBytes Key() => random.Next(20) switch
    {
        0 => "",
        1 => default,
        2 => "\ud800 alone",
        3 => new byte[random.Next(1, 100_000)],
        4 => new Gone().Memory,
        _ => $"key-{random.Next(200)}",
    };

    public CacheBytes Value() => Chance(0.02) ? new byte[random.Next(1, 6_000_000)] : Chance(0.05) ? default : new byte[random.Next(300)];

    public TimeSpan? Ttl() => random.Next(10) switch
    {
        0 => TimeSpan.MinValue,
        1 => TimeSpan.MaxValue,
        2 => TimeSpan.Zero,
        3 => TimeSpan.FromTicks(1),
        4 => TimeSpan.FromDays(366),
        _ => null,
    };

    public IReadOnlyList<CacheBytes> Keys()
    {
        CacheBytes[] keys = [.. Enumerable.Range(0, random.Next(20)).Select(_ => (CacheBytes)$"key-{random.Next(200)}")];
        return random.Next(12) switch
        {
            0 => null!,
            1 => new Throwing(),
            2 => [.. keys, Key()],
            _ => keys,
        };
    }

    public Func<CancellationToken, ValueTask<byte[]>> Factory() => random.Next(7) switch
    {
        0 => null!,
        1 => static _ => throw new InvalidOperationException("hostile"),
        2 => static async _ => { await Task.Yield(); throw new InvalidOperationException("hostile, later"); }
        ,
        3 => static _ => ValueTask.FromResult<byte[]>(null!),
        4 => async cancelled => { await Task.Delay(random.Next(30), cancelled); return [1]; }
        ,
        _ => static _ => ValueTask.FromResult<byte[]>([1, 2, 3]),
    };

    public T Of<T>(params T[] choices) => choices[random.Next(choices.Length)];

    // An invalid argument: memory whose owner appears to be disposed after the first read.
    private sealed class Gone : MemoryManager<byte>
    {
        private int _reads;

        public override Memory<byte> Memory => CreateMemory(8);

        public override Span<byte> GetSpan() => _reads++ == 0 ? new byte[8] : throw new ObjectDisposedException(nameof(Gone));

        public override MemoryHandle Pin(int elementIndex = 0) => throw new ObjectDisposedException(nameof(Gone));

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }

    private sealed class Throwing : IReadOnlyList<CacheBytes>
    {
        public int Count => 3;

        public CacheBytes this[int index] => throw new InvalidOperationException("hostile");

        public IEnumerator<CacheBytes> GetEnumerator() => throw new InvalidOperationException("hostile");

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
