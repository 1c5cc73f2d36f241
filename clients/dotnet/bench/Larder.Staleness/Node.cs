using System.Diagnostics;
using System.Globalization;
using Larder.Client;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Staleness;

/// <summary>
/// One process of an application with a HybridCache. The values are versions: a read returns the version that was current when it was loaded.
/// </summary>
internal sealed class Node : IAsyncDisposable
{
    /// <summary>The name of Larder's HybridCache in the table.</summary>
    public const string Coherent = "Larder's HybridCache";

    /// <summary>The name of the default HybridCache in the table.</summary>
    public const string Default = "The default HybridCache on Larder";

    private const int KeysAtOnce = 100;

    private static readonly TimeSpan s_limit = TimeSpan.FromMilliseconds(50);
    private static readonly string[] s_keys = [.. Enumerable.Range(0, KeysAtOnce).Select(static key => $"key {key}")];

    private readonly ServiceProvider _services;
    private readonly HybridCache _cache;

    public Node(string mode, Uri endpoint)
    {
        ServiceCollection services = new();
        services.AddLarderDistributedCache(configureClient: options =>
        {
            options.Url = $"{endpoint}";
            options.RequestTimeout = TimeSpan.FromSeconds(30);
        });
        services.AddHybridCache();
        if (mode == Coherent)
        {
            services.AddLarderHybridCache();
        }

        _services = services.BuildServiceProvider();
        _cache = _services.GetRequiredService<HybridCache>();
    }

    public static int KeysPerRound => KeysAtOnce;

    /// <summary>Runs the reading process: executes the commands of the other process from stdin.</summary>
    public static async Task RunReaderAsync(string mode, Uri endpoint)
    {
        await using Node node = new(mode, endpoint);
        Console.WriteLine("ready");
        while (await Console.In.ReadLineAsync() is { } line)
        {
            string[] words = line.Split(' ');
            int version = int.Parse(words[1], CultureInfo.InvariantCulture);
            Console.WriteLine(words[0] switch
            {
                "copy" => await node.CopyAsync(version),
                "check" => await node.CheckAsync(version),
                _ => await node.ClearAsync(),
            });
        }
    }

    /// <summary>Removes all keys.</summary>
    public ValueTask RemoveAsync() => _cache.RemoveAsync(s_keys);

    public ValueTask DisposeAsync() => _services.DisposeAsync();

    // Reads all keys until this process has copies of their values. Throws if a value is not the current version.
    private async Task<string> CopyAsync(int version)
    {
        for (int read = 0; read < 3; read++)
        {
            int[] values = await ReadAsync(s_keys, version);
            if (values.Any(value => value != version))
            {
                throw new InvalidOperationException($"Read version {values.Min()} instead of {version}, although this process had no copies.");
            }
        }

        return "copied";
    }

    // Reads all keys after the other process has removed them. Reads the stale ones again until they are current, for at most 50 ms. Returns the number of
    // values that were stale at the first read, the number that were stale after 50 ms, and for how long the last one was stale.
    private async Task<string> CheckAsync(int version)
    {
        long begun = Stopwatch.GetTimestamp();
        string[] stale = await StaleAsync(s_keys, version);
        int first = stale.Length;
        TimeSpan last = TimeSpan.Zero;
        while (stale.Length > 0)
        {
            last = Stopwatch.GetElapsedTime(begun);
            if (last > s_limit)
            {
                break;
            }

            // Without a pause, this loop would keep a processor busy, because hits complete synchronously.
            await Task.Delay(1);
            stale = await StaleAsync(stale, version);
        }

        return string.Create(CultureInfo.InvariantCulture, $"{first} {stale.Length} {last.TotalMilliseconds}");
    }

    // Removes all keys here too, so that this process has no copies when the next round starts.
    private async Task<string> ClearAsync()
    {
        await RemoveAsync();
        return "cleared";
    }

    private async Task<string[]> StaleAsync(string[] keys, int version)
    {
        int[] values = await ReadAsync(keys, version);
        return [.. keys.Where((_, key) => values[key] != version)];
    }

    private Task<int[]> ReadAsync(string[] keys, int version) => Task.WhenAll(
        keys.Select(key => _cache.GetOrCreateAsync(key, version, static (current, _) => ValueTask.FromResult(current)).AsTask()));
}
