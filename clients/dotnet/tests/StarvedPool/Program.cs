using System.Buffers;
using Larder.Client;
using Larder.Client.Tests.Starved;
using Larder.FileStore;
using Microsoft.Extensions.Caching.Distributed;

// StarvedPool TRANSPORT SERVER PROXY SILENT REFUSING [AUTHORITY SECURE]: makes blocking calls while the thread pool has no free thread, and writes their
// outcomes. PROXY forwards to the server. To reset, cut or restore the proxy, this program writes a command as a line. The test executes the command and
// confirms with a line.
const int Threads = 40;
const int SecureConnections = 10;

Transport transport = Enum.Parse<Transport>(args[0]);
(string server, string proxy, string silent, string refusing) = (args[1], args[2], args[3], args[4]);
(string? authority, string? secureServer) = (args.ElementAtOrDefault(5), args.ElementAtOrDefault(6));
DistributedCacheEntryOptions sliding = new() { SlidingExpiration = TimeSpan.FromMinutes(1) };
BlockedPool.Begin();

CacheClient first = Connect(server);
LarderDistributedCache cache = new(first, new LarderDistributedCacheOptions());
Outcomes.Of(
    "first calls",
    Threads,
    () => Done(() => cache.Set("key", [1, 2], sliding)),
    () => cache.Get("key") is { Length: 2 } ? "hit" : "miss",
    () => cache.TryGet("key", new ArrayBufferWriter<byte>()) ? "hit" : "miss",
    () => Done(() => cache.Refresh("key")),
    () => Done(() => cache.Remove("other")));
Outcomes.Of(
    "asynchronous calls",
    Threads,
    () => Of(Wait(first.Cache("cache").SetAsync("key", "value"))),
    () => Of(Wait(first.Cache("cache").GetAsync("key"))),
    () => Of(Wait(first.Cache("cache").IncrementAsync("count", 1))),
    () => Of(Wait(first.PingAsync())));
Outcomes.Of(
    "large values",
    4,
    () => Of(Wait(first.Cache("cache").SetAsync("large", new byte[3 << 20]))),
    () => Of(Wait(first.Cache("cache").GetAsync("large"))));
Outcomes.Of("dispose", 1, () => Done(first.Dispose));

CacheClient lost = Connect(proxy);
Outcomes.Of("before the loss", Threads, () => Of(Wait(lost.Cache("cache").SetAsync("key", "value"))));
Ask("reset");
Outcomes.Of("after the loss", Threads, () => Until("Hit", () => Of(Wait(lost.Cache("cache").GetAsync("key")))));
Ask("cut");
Cache hasty = lost.Cache("cache").WithTimeout(TimeSpan.FromSeconds(1));
Outcomes.Of("cut network", Threads, () => Of(Wait(hasty.GetAsync("key"))));
Ask("heal");
Outcomes.Of("healed network", Threads, () => Until("Hit", () => Of(Wait(lost.Cache("cache").GetAsync("key")))));
lost.Dispose();

foreach ((string name, string url) in ((string, string)[])[("silent server", silent), ("refusing server", refusing)])
{
    CacheClient none = Connect(url, configure: static configuration => configuration with { RequestTimeout = TimeSpan.FromSeconds(1) });
    Outcomes.Of(name, Threads, () => Of(Wait(none.Cache("cache").GetAsync("key"))), () => Of(Wait(none.Cache("cache").SetAsync("key", "value"))));
    Outcomes.Of($"{name}, connect", 1, () => Of(Wait(none.ConnectAsync())));
    Outcomes.Of($"{name}, dispose", 1, () => Done(none.Dispose));
}

using CacheClient named = Connect(server.Replace("127.0.0.1", "localhost", StringComparison.Ordinal));
Outcomes.Of("host name", Threads, () => Of(Wait(named.Cache("cache").GetAsync("missing"))));
string tokenFile = Path.GetTempFileName();
File.WriteAllText(tokenFile, "token");
foreach (TokenProvider provider in (TokenProvider[])[TokenProvider.FromFile(tokenFile), TokenProvider.From(static () => "token")])
{
    using CacheClient provided = Connect(server, credentials => credentials.WithToken(provider));
    Outcomes.Of("token provider", Threads, () => Of(Wait(provided.Cache("cache").GetAsync("missing"))));
}

File.Delete(tokenFile);
if (transport == Transport.Pipeline)
{
    using CacheClient near = Connect(server, configure: configuration => configuration with { NearCache = new NearCache { MaxBytes = 1 << 20 } });
    Outcomes.Of("near cache", Threads, () => Of(Wait(near.Cache("cache").SetAsync("near", "value"))), () => Of(Wait(near.Cache("cache").GetAsync("near"))));
}

IAsyncEnumerator<TopicEvent> events = named.Cache("cache").Subscribe("topic").GetAsyncEnumerator();
Outcomes.Of("subscription", 1, () => Publish(named, events));
string folder = Directory.CreateTempSubdirectory("larder-starved-").FullName;
using (DistributedFileStoreCacheString file = new(new DistributedFileStoreCacheOptions { PathToCacheFileDirectory = folder, SecondPartOfCacheFileName = "t" }))
{
    int callers = 0;
    Outcomes.Of(
        "file store",
        Threads,
        () => Done(() => file.Set("key", "value")),
        () => file.Get("key") == "value" ? "hit" : "miss",
        () =>
        {
            Interlocked.Increment(ref callers);
            // After this delay, nearly all other callers are waiting for this factory's value.
            return file.GetOrCreate("created", _ => HaveAllCalled() ? "created" : "late");
        });
    bool HaveAllCalled() => SpinWait.SpinUntil(() => Volatile.Read(ref callers) == Threads, TimeSpan.FromSeconds(20));
}

Directory.Delete(folder, recursive: true);
for (int connection = 0; authority is not null && connection < SecureConnections; connection++)
{
    using CacheClient secure = Connect(secureServer!, credentials => credentials.WithTls(new TlsOptions { AuthorityFiles = [authority] }));
    Outcomes.Of(
        $"TLS {connection}",
        Threads,
        () => Of(Wait(secure.Cache("cache").SetAsync("key", "value"))),
        () => Of(Wait(secure.Cache("cache").GetAsync("key"))));
}

Console.WriteLine("end");

CacheClient Connect(string url, Func<CredentialProvider, CredentialProvider>? credentials = null, Func<Configuration, Configuration>? configure = null)
{
    Configuration configuration = Configurations.Laptop.Latest() with { Transport = transport, RequestTimeout = TimeSpan.FromSeconds(20) };
    CredentialProvider provider = CredentialProvider.FromString(url);
    return new(configure?.Invoke(configuration) ?? configuration, credentials?.Invoke(provider) ?? provider, TimeSpan.FromMinutes(1));
}

static T Wait<T>(ValueTask<T> call) => call.AsTask().GetAwaiter().GetResult();

static string Of(object response) => response is ICacheResult { Error.Code: var code } ? code.ToString() : $"{response}".Split(' ')[0];

static string Done(Action call)
{
    call();
    return "done";
}

// Repeats a call until it has the expected outcome. A call that is in flight when its connection is lost fails. The next call uses another connection.
static string Until(string outcome, Func<string> call)
{
    string last = call();
    for (int again = 0; again < 20 && last != outcome; again++)
    {
        last = call();
    }

    return last;
}

static string Publish(CacheClient client, IAsyncEnumerator<TopicEvent> events)
{
    Thread publisher = new(() => Until("never", () => Of(Wait(client.Cache("cache").PublishAsync("topic", "message"))))) { IsBackground = true };
    publisher.Start();
    do
    {
        if (!Wait(events.MoveNextAsync()))
        {
            return "ended";
        }
    }
    while (events.Current is not TopicEvent.Item);
    return "item";
}

static void Ask(string what)
{
    Console.WriteLine(what);
    Console.ReadLine();
}
