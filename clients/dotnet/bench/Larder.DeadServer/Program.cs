// Measures the cost of a call while no server listens. For each transport, makes one call that fails, and then measures 2,000 sequential calls of each kind.
// Usage: ./larder lab dead-server --client dotnet. The output is a table.
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Larder.Client;

const int Calls = 2_000;

using Socket bound = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
// Binds the port without listening, so that no other process can use the port during the measurement.
bound.Bind(new IPEndPoint(IPAddress.Loopback, 0));
int port = ((IPEndPoint)bound.LocalEndPoint!).Port;
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
foreach (Transport transport in (Transport[])[Transport.Pipeline, Transport.Unary])
{
    Configuration configuration = Configurations.Laptop.V1() with { Transport = transport };
    await using CacheClient client = new(configuration, CredentialProvider.Local(port: port), TimeSpan.FromSeconds(1));
    long begun = Stopwatch.GetTimestamp();
    LookupResult<CacheValue> first = await client.Cache("cache").GetAsync("key");
    Console.WriteLine($"{transport}: the first get {Stopwatch.GetElapsedTime(begun).TotalMilliseconds:F0} ms, {CodeOf(first)}: it waits for a restart");
    await PrintAsync("get", async () => CodeOf(await client.Cache("cache").GetAsync("key")));
    await PrintAsync("getOrCreate", async () => CodeOf(await client.Cache("cache").GetOrCreateAsync("key", static _ => ValueTask.FromResult<byte[]>([1]))));
}

static async Task PrintAsync(string name, Func<Task<string>> call)
{
    SortedSet<string> outcomes = [];
    double[] tookMs = new double[Calls];
    for (int i = 0; i < Calls; i++)
    {
        long begun = Stopwatch.GetTimestamp();
        outcomes.Add(await call());
        tookMs[i] = Stopwatch.GetElapsedTime(begun).TotalMilliseconds;
    }

    Array.Sort(tookMs);
    string spread = $"p50 {tookMs[Calls / 2]:F3} ms, p99 {tookMs[Calls * 99 / 100]:F3} ms, worst {tookMs[^1]:F2} ms";
    Console.WriteLine($"  {name,-12} {spread} ({string.Join(", ", outcomes)})");
}

static string CodeOf(object response) => response is ICacheResult { Error: { } error } ? error.Code.ToString() : $"{response}".Split(' ')[0];
