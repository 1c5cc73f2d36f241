using System.Text;
using System.Text.Json;

namespace Larder.Agent;

/// <summary>The workload of a load: keys, their popularity, value sizes and the share of reads. See <c>conformance/AGENT.md</c>, "Workload".</summary>
internal sealed record LoadWorkload
{
    /// <summary>
    /// Value sizes as measured in production caches: a median of 100 to 300 bytes, and few values of up to 100 KB. Each pair is [bytes, weight].
    /// </summary>
    private static readonly double[][] s_productionMix =
        [[50, 15], [100, 20], [200, 25], [300, 15], [500, 10], [1000, 8], [2000, 4], [10_000, 2], [50_000, 0.8], [100_000, 0.2]];

    /// <summary>Gets the reference workload: 100-byte values, 1,000 hot keys, half gets and half sets.</summary>
    public static LoadWorkload Reference { get; } = new();

    /// <summary>Gets the production workload: Zipf-distributed keys, nine gets per set, production value sizes.</summary>
    public static LoadWorkload Production { get; } =
        new() { Name = "production", Keys = 100_000, Zipf = 1.0, ReadRatio = 0.9, ValueBytesMix = s_productionMix };

    private static readonly LoadWorkload s_collections = new() { Keys = 10 * LoadCollection.Elements };

    /// <summary>The named workloads.</summary>
    private static readonly LoadWorkload[] s_all =
    [
        Reference,
        Production,
        s_collections with { Name = "fields", Calls = LoadCalls.Fields },
        s_collections with { Name = "queues", Calls = LoadCalls.Queues },
        s_collections with { Name = "ranks", Calls = LoadCalls.Ranks },
    ];

    /// <summary>Gets the name of the workload on which this workload is based.</summary>
    public string Name { get; init; } = "reference";

    /// <summary>Gets the kind of calls. In a load of collection calls, the keys are elements of collections.</summary>
    public LoadCalls Calls { get; init; }

    /// <summary>Gets the number of keys, 1 to 10,000,000.</summary>
    public int Keys { get; init; } = 1000;

    /// <summary>Gets the Zipf exponent α of the keys' popularity, from 0 (uniform) to 5.</summary>
    public double Zipf { get; init; }

    /// <summary>Gets the share of gets among the calls, 0 to 1.</summary>
    public double ReadRatio { get; init; } = 0.5;

    /// <summary>Gets the share of gets that request a key that is never set, 0 to 1.</summary>
    public double MissRatio { get; init; }

    /// <summary>Gets the size of every value in bytes, 0 to 5,000,000. Ignored if <see cref="ValueBytesMix"/> is not null.</summary>
    public int ValueBytes { get; init; } = 100;

    /// <summary>Gets pairs of value size in bytes and weight, or null if all values have the same size. A key's value always has the same size.</summary>
    public double[][]? ValueBytesMix { get; init; }

    /// <summary>Gets the TTL of sets, in ms.</summary>
    public long TtlMs { get; init; } = 600_000;

    /// <summary>Gets pairs of TTL in ms and weight, or null if all sets have the same TTL. A key always has the same TTL.</summary>
    public double[][]? TtlMsMix { get; init; }

    /// <summary>Gets the path of a trace to replay, or null.</summary>
    public string? Trace { get; init; }

    /// <summary>Gets whether every key is set once before the warm-up.</summary>
    public bool Preload { get; init; } = true;

    /// <summary>Parses the <c>workload</c> field of a request.</summary>
    /// <exception cref="ArgumentException">The name is unknown or a field is out of range.</exception>
    public static LoadWorkload From(JsonElement json)
    {
        string? name = json.TryGetProperty("name", out JsonElement text) ? text.GetString() : "reference";
        LoadWorkload basis = Array.Find(s_all, one => one.Name == name)
            ?? throw new ArgumentException($"unknown workload.name \"{name}\"; use {string.Join(", ", s_all.Select(one => one.Name))}");
        double? fixedSize = json.Number("valueBytes");
        return (basis with
        {
            Keys = (int)(json.Number("keys") ?? basis.Keys),
            Zipf = json.Number("zipf") ?? basis.Zipf,
            ReadRatio = json.Number("readRatio") ?? basis.ReadRatio,
            MissRatio = json.Number("missRatio") ?? basis.MissRatio,
            ValueBytes = (int)(fixedSize ?? basis.ValueBytes),
            ValueBytesMix = Mix(json, "valueBytesMix") ?? (fixedSize is null ? basis.ValueBytesMix : null),
            TtlMs = (long)(json.Number("ttlMs") ?? basis.TtlMs),
            TtlMsMix = Mix(json, "ttlMsMix"),
            Trace = json.Text("trace"),
            Preload = json.Flag("preload", json.Text("trace") is null),
        }).Checked();
    }

    /// <summary>Returns the 16 bytes of key <paramref name="index"/>.</summary>
    public static byte[] KeyOf(int index) => Encoding.ASCII.GetBytes($"larder-{index:D9}");

    /// <summary>Returns the size in bytes of the value of key <paramref name="index"/>.</summary>
    public int SizeOf(int index) => ValueBytesMix is { } mix ? (int)Drawn(mix, index, 0.6180339887498949) : ValueBytes;

    /// <summary>Returns the TTL of key <paramref name="index"/>.</summary>
    public TimeSpan TtlOf(int index) => TimeSpan.FromMilliseconds(TtlMsMix is { } mix ? Drawn(mix, index, 0.7548776662466927) : TtlMs);

    /// <summary>
    /// Returns the size or TTL of a key. It is one of the numbers in <paramref name="mix"/>, selected by the weights. The selection uses multiples of an
    /// irrational number. They spread the mix evenly over hot and cold keys, and give the same result in each language. Sizes and TTLs use two different
    /// irrational numbers, so that they are not correlated.
    /// </summary>
    private static double Drawn(double[][] mix, int index, double step)
    {
        double spread = (index + 1) * step;
        double share = (spread - Math.Floor(spread)) * mix.Sum(pair => pair[1]);
        foreach (double[] pair in mix)
        {
            share -= pair[1];
            if (share < 0)
            {
                return pair[0];
            }
        }

        return mix[^1][0];
    }

    private LoadWorkload Checked()
    {
        Check(Keys is >= 1 and <= 10_000_000, "keys must be 1 to 10,000,000");
        Check(Zipf is >= 0 and <= 5, "zipf must be 0 to 5");
        Check(ReadRatio is >= 0 and <= 1, "readRatio must be 0 to 1");
        Check(MissRatio is >= 0 and <= 1, "missRatio must be 0 to 1");
        Check(ValueBytes is >= 0 and <= 5_000_000, "valueBytes must be 0 to 5,000,000");
        Check(TtlMs >= 1, "ttlMs must be at least 1");
        Check(ValueBytesMix is null or { Length: > 0 }, "valueBytesMix must not be empty");
        Check(
            ValueBytesMix?.All(pair => pair is [>= 0 and <= 5_000_000, > 0]) ?? true,
            "valueBytesMix must contain pairs [bytes, weight] with 0 to 5,000,000 bytes and a weight greater than 0");
        Check(TtlMsMix is null or { Length: > 0 }, "ttlMsMix must not be empty");
        Check(
            TtlMsMix?.All(pair => pair is [>= 1, > 0]) ?? true,
            "ttlMsMix must contain pairs [milliseconds, weight] with at least 1 ms and a weight greater than 0");
        return this;
    }

    private static void Check(bool holds, string rule)
    {
        if (!holds)
        {
            throw new ArgumentException($"workload.{rule}");
        }
    }

    private static double[][]? Mix(JsonElement json, string field) =>
        json.TryGetProperty(field, out JsonElement mix) && mix.ValueKind == JsonValueKind.Array ? mix.Deserialize<double[][]>() : null;
}
