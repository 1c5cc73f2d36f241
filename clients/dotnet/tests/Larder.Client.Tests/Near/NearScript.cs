using System.Text;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;
using Larder.Protocol;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Larder.Client.Tests.Near;

/// <summary>Connects a client that has a near cache and a manual clock. The test plays the server's side of the client's stream.</summary>
internal sealed class NearScript : IAsyncDisposable
{
    public static readonly NearCache Setting = new() { MaxBytes = 1 << 20 };

    private NearScript(Configuration configuration, ILogger? logger)
    {
        Client = new CacheClient(
            configuration,
            CredentialProvider.Local(port: Server.Port),
            TimeSpan.FromMinutes(1),
            logger ?? NullLogger.Instance,
            Time,
            null);
        Cache = Client.Cache("cache");
    }

    public ManualTime Time { get; } = new();

    public ScriptedPipeline Server { get; } = new();

    public CacheClient Client { get; }

    public Cache Cache { get; }

    public ScriptedStream Stream { get; private set; } = null!;

    public NearCacheStatistics Figures => Client.NearCache!;

    public static Configuration Configured(NearCache? setting = null) => Configurations.Laptop.V1() with
    {
        Transport = Transport.Pipeline,
        RequestTimeout = TimeSpan.FromHours(1),
        KeepaliveInterval = null,
        NearCache = setting ?? Setting,
    };

    /// <summary>Connects a client, and answers none of its requests.</summary>
    public static async Task<NearScript> ConnectAsync(Configuration? configuration = null, ILogger? logger = null)
    {
        NearScript script = new(configuration ?? Configured(), logger);
        Expect.Success(await Eventually.Within(script.Client.ConnectAsync()));
        script.Stream = await script.Server.NextAsync();
        return script;
    }

    /// <summary>Connects a client and answers its near_open with a lease.</summary>
    public static async Task<NearScript> OpenAsync(Configuration? configuration = null, uint leaseMs = 3_000)
    {
        NearScript script = await ConnectAsync(configuration);
        await script.Stream.OpenAsync(leaseMs);
        await Eventually.Holds(() => script.Client.NearReads!.Stream is not null, "it is the near stream");
        return script;
    }

    /// <summary>Ends the stream, and advances the clock until the client has opened another one.</summary>
    public async Task EndStreamAsync()
    {
        Stream.End();
        Task<ScriptedStream> next = Server.NextAsync();
        await Time.AdvanceUntilAsync(next, TimeSpan.FromMilliseconds(1));
        Stream = await next;
    }

    /// <summary>Makes a call that reads a key, and answers the call. Returns the received operation.</summary>
    public async Task<Operation> ReadAsync(string key, string value, uint ticket = 7, uint ttlLeftMs = 60_000)
    {
        ValueTask<LookupResult<CacheValue>> get = Client.Cache("cache").GetAsync(key);
        Operation asked = await Stream.NextAsync(Operation.CallOneofCase.Get);
        await Stream.SendAsync(ScriptedStream.Found(asked, value, ticket, ttlLeftMs));
        Assert.Equal(value, Expect.Hit(await Eventually.Within(get)).Text);
        return asked;
    }

    /// <summary>Returns the value of the near cache's copy of a key, or null if there is no copy.</summary>
    public string? Served(string key) => Client.Cache("cache").TryGetNear((CacheBytes)key, out CacheValue value)
        ? value.Text : null;

    /// <summary>
    /// Sends a message, and waits until the client has read it. To detect this, the method sends another response on the same stream and waits until that
    /// response arrives.
    /// </summary>
    public async Task SayAsync(BatchResult message)
    {
        ValueTask<CacheResult<bool>> after = Client.Cache("cache").KeyExistsAsync("after");
        Operation asked = await Stream.NextAsync(Operation.CallOneofCase.KeysExist);
        await Stream.SendAsync(message);
        await Stream.SendAsync(new Result { Id = asked.Id, KeysExist = new Protocol.KeysExistResponse { Exists = { false } } });
        Expect.Success(await Eventually.Within(after));
    }

    public async ValueTask DisposeAsync()
    {
        Client.NearReads?.State.AssertValid();
        await Client.DisposeAsync();
        Assert.Equal(0, Client.NearReads?.State.InFlight ?? 0);
        await Server.DisposeAsync();
    }
}
