namespace Larder.Store.Bench;

/// <summary>
/// The store and the traffic of one round, drawn from a seed. In two of three rounds, the store has less memory than its entries need, and the cache is
/// flushed. In the third round, entries are lost only when they expire.
/// </summary>
internal sealed record StressPlan
{
    private const int LargestBytes = 20_000;

    public required int Seed { get; init; }

    public required bool Evicts { get; init; }

    public required int Shards { get; init; }

    public required int Megabytes { get; init; }

    public required int Keys { get; init; }

    public required int MaxValueBytes { get; init; }

    /// <summary>Whether lookups may set another key from the sink that receives the value.</summary>
    public required bool Nests { get; init; }

    public required int MaxTtlMs { get; init; }

    public static StressPlan Draw(int seed, int round)
    {
        var random = new Random(seed);
        bool evicts = round % 3 != 2;
        int shards = 1 << random.Next(3);
        int megabytes = evicts ? shards * (1 + random.Next(2)) : 256;
        int keys = random.Next(3) == 0 ? 200 + random.Next(1000) : evicts ? (megabytes << 20) / (100 + random.Next(400)) : 4000;
        int largest = random.Next(3) switch { 0 => 200, 1 => 1100, _ => 3000 };
        return new StressPlan
        {
            Seed = seed,
            Evicts = evicts,
            Shards = shards,
            Megabytes = megabytes,
            Keys = keys,
            MaxValueBytes = evicts && random.Next(3) == 0 ? LargestBytes : largest,
            Nests = random.Next(2) == 0,
            MaxTtlMs = random.Next(3) == 0 ? 3_600_000 : 2000,
        };
    }
}
