using Larder.Client;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Larder.Stampede;

/// <summary>
/// One process of the benchmark. For each key that it reads from stdin, it makes 250 concurrent calls and prints the number of loads that these calls caused.
/// </summary>
internal static class Caller
{
    private const string Leased = "Larder, GetOrCreateAsync with a lease";
    private const string Alone = "Larder, GetOrCreateAsync";
    private const string Hybrid = "Larder's HybridCache";
    private const string Default = "The default HybridCache on Larder";
    private const int Callers = 250;

    private static readonly TimeSpan s_load = TimeSpan.FromMilliseconds(200);
    private static int s_loads;

    /// <summary>Gets the ways in which a caller can get or load a value.</summary>
    public static IReadOnlyList<string> Modes { get; } = [Leased, Alone, Hybrid, Default];

    /// <summary>Reads keys until stdin ends.</summary>
    public static async Task RunAsync(string mode, Uri endpoint)
    {
        Configuration patient = Configurations.Laptop.Latest() with { RequestTimeout = TimeSpan.FromSeconds(30) };
        CacheClient client = await CacheClient.CreateAsync(patient, CredentialProvider.Local(port: endpoint.Port), TimeSpan.FromMinutes(1));
        await using ServiceProvider services = ServicesOf(mode, endpoint);
        HybridCache hybrid = services.GetRequiredService<HybridCache>();
        GetOrCreateOptions leased = new();
        Func<string, Task<byte[]>> get = mode switch
        {
            Leased => async key => (await client.Cache("cache").GetOrCreateAsync(key, LoadAsync, leased)).Value.ToArray(),
            Alone => async key => (await client.Cache("cache").GetOrCreateAsync(key, LoadAsync)).Value.ToArray(),
            _ => async key => await hybrid.GetOrCreateAsync(key, LoadAsync),
        };
        Console.WriteLine("ready");
        while (await Console.In.ReadLineAsync() is { } key)
        {
            s_loads = 0;
            byte[][] values = await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(() => get(key))));
            if (!values.All(static value => value is [42]))
            {
                throw new InvalidOperationException("A caller has another value.");
            }

            Console.WriteLine(s_loads);
        }

        await client.DisposeAsync();
    }

    private static ServiceProvider ServicesOf(string mode, Uri endpoint)
    {
        ServiceCollection services = new();
        services.AddLarderDistributedCache(configureClient: options => options.Url = $"{endpoint}");
        services.AddHybridCache();
        if (mode == Hybrid)
        {
            services.AddLarderHybridCache();
        }

        return services.BuildServiceProvider();
    }

    private static async ValueTask<byte[]> LoadAsync(CancellationToken cancelled)
    {
        Interlocked.Increment(ref s_loads);
        await Task.Delay(s_load, cancelled);
        return [42];
    }
}
