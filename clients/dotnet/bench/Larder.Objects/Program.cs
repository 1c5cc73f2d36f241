// Measures hits of objects in the memory of a process: Larder's near cache next to other libraries. One caller reads one key sequentially. The libraries take
// turns, and each figure is the median of its rounds.
// Usage: ./larder lab objects. The output is a table.
using System.Diagnostics;
using System.Globalization;
using BitFaster.Caching.Lru;
using Larder.Client;
using Larder.Client.Codecs;
using Larder.Harness.Servers;
using Larder.Objects;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using ZiggyCreatures.Caching.Fusion;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
const int Rounds = 7;
const string Key = "record:7";
const string MutableKey = $"mutable:{Key}";
TimeSpan roundTime = TimeSpan.FromMilliseconds(300);

await using ServerProcess server = await ServerProcess.StartAsync();
Configuration configuration = Configurations.Laptop.Latest() with { NearCache = new NearCache { MaxBytes = 64 << 20 } };
await using CacheClient client = new(configuration, $"{server.Endpoint}", TimeSpan.FromHours(1));
Cache cache = client.Cache("cache");
TypedCache<ImmutableRecord> immutable = cache.Typed(new JsonCodec<ImmutableRecord>(Records.Default.ImmutableRecord));
TypedCache<MutableRecord> mutable = cache.Typed(new JsonCodec<MutableRecord>(Records.Default.MutableRecord));
TypedCache<MutableRecord> shared = cache.Typed(new JsonCodec<MutableRecord>(Records.Default.MutableRecord), new TypedCacheOptions { KeepObjects = true });
CacheResult stored = await immutable.SetAsync(Key, ImmutableRecord.Create());
while (!cache.TryGetNear(Key, out _))
{
    _ = stored.Error is { } error ? throw new InvalidOperationException(error.Message) : (await cache.GetAsync(Key)).Value;
}

ServiceCollection services = new();
services.AddHybridCache();
await using ServiceProvider provider = services.BuildServiceProvider();
HybridCache hybrid = provider.GetRequiredService<HybridCache>();
await using ServiceProvider coherentProvider = new ServiceCollection()
    .AddLarderHybridCache(configureClient: options => options.Url = $"{server.Endpoint}").BuildServiceProvider();
HybridCache coherent = coherentProvider.GetRequiredService<HybridCache>();
Cache coherentCopies = coherentProvider.GetRequiredService<CacheClient>().Cache("cache");
foreach (string each in (string[])[Key, $"mutable:{Key}"])
{
    while (!coherentCopies.TryGetNear($"hybrid:{each}", out _))
    {
        _ = each == Key ? await ReadImmutable(coherent) : await ReadMutable(coherent);
    }
}

using FusionCache fusion = new(new FusionCacheOptions());
ConcurrentLru<string, ImmutableRecord> lru = new(1_000);
fusion.Set(Key, ImmutableRecord.Create(), TimeSpan.FromHours(1));
lru.AddOrUpdate(Key, ImmutableRecord.Create());

Hit[] hits =
[
    new("Larder, bytes, `GetAsync`", async () => (await cache.GetAsync(Key)).Value.Length),
    new("Larder, bytes, `TryGetNear`", () => new(cache.TryGetNear(Key, out CacheValue value) ? value.Length : 0)),
    new("Larder, immutable type, `GetAsync`", async () => (await immutable.GetAsync(Key)).Value!.Id),
    new("Larder, immutable type, `GetOrCreateAsync`", async () => (await immutable.GetOrCreateAsync(Key, static _ => new(ImmutableRecord.Create()))).Value!.Id),
    new("Larder, mutable type, shared on request (`KeepObjects`)", async () => (await shared.GetAsync(Key)).Value!.Id),
    new("Larder, mutable type, decoded for each caller", async () => (await mutable.GetAsync(Key)).Value!.Id),
    new("Larder's HybridCache, immutable type", () => ReadImmutable(coherent)),
    new("Larder's HybridCache, mutable type", () => ReadMutable(coherent)),
    new("The default HybridCache, immutable type", () => ReadImmutable(hybrid)),
    new("The default HybridCache, mutable type", () => ReadMutable(hybrid)),
    new("FusionCache, `GetOrSetAsync`", async () => (await fusion.GetOrSetAsync<ImmutableRecord>(
        Key, static (_, _) => Task.FromResult(ImmutableRecord.Create()))).Id),
    new("FusionCache, `TryGet`", () => new(fusion.TryGet<ImmutableRecord>(Key) is { HasValue: true } found ? found.Value.Id : 0)),
    new("BitFaster `ConcurrentLru`, `TryGet`", () => new(lru.TryGet(Key, out ImmutableRecord? found) ? found.Id : 0)),
];

foreach (Hit hit in hits)
{
    await hit.MeasureAsync(roundTime * 3);
    hit.Forget();
}

for (int round = 0; round < Rounds; round++)
{
    // A B B A: every second round is in the reverse order.
    foreach (Hit hit in round % 2 == 0 ? hits : hits.Reverse())
    {
        await hit.MeasureAsync(roundTime);
    }
}

int encodedBytes = cache.TryGetNear(Key, out CacheValue encoded) ? encoded.Length : 0;
Console.WriteLine($"Medians of {Rounds} rounds; a record of 100 lines, {encodedBytes} bytes as JSON");
Console.WriteLine();
Console.WriteLine("| hit in the process's own memory | ns | bytes allocated |\n|---|---:|---:|");
foreach (Hit hit in hits)
{
    Console.WriteLine(hit.Row());
}

static async ValueTask<int> ReadImmutable(HybridCache from) =>
    (await from.GetOrCreateAsync(Key, static _ => new ValueTask<ImmutableRecord>(ImmutableRecord.Create()))).Id;

static async ValueTask<int> ReadMutable(HybridCache from) =>
    (await from.GetOrCreateAsync($"mutable:{Key}", static _ => new ValueTask<MutableRecord>(MutableRecord.Create()))).Id;
