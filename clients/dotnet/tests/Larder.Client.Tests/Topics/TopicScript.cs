using System.Buffers.Binary;
using System.Globalization;
using Google.Protobuf;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests.Topics;

/// <summary>
/// A topic server whose streams follow scripts of the test. A script can send valid or invalid messages. Each call runs the next script. After the last script,
/// further calls repeat the last one.
/// </summary>
internal sealed class TopicScript : IAsyncDisposable
{
    private readonly WebApplication _server;
    private readonly List<TopicCall> _calls = [];
    private readonly Func<TopicCall, Task>[] _scripts;
    private int _open;

    private TopicScript(Func<TopicCall, Task>[] scripts, int streams)
    {
        _scripts = scripts;
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Limits.MinResponseDataRate = null;
            kestrel.Limits.Http2.MaxStreamsPerConnection = streams;
            kestrel.Listen(System.Net.IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http2);
        });
        _server = builder.Build();
        _server.MapPost("/cache_client.pubsub.Pubsub/Subscribe", RunAsync);
    }

    /// <summary>A configuration whose retries start after 1 ms.</summary>
    public static Configuration QuickRetries => Configurations.Laptop.Latest() with
    {
        InitialBackOff = TimeSpan.FromMilliseconds(1),
        MaxBackOff = TimeSpan.FromMilliseconds(5),
    };

    public int Port => new Uri(_server.Urls.First()).Port;

    /// <summary>Gets the number of open streams.</summary>
    public int Open => Volatile.Read(ref _open);

    /// <summary>Gets the calls received so far, in order.</summary>
    public TopicCall[] Calls
    {
        get
        {
            lock (_calls)
            {
                return [.. _calls];
            }
        }
    }

    public static Task<TopicScript> StartAsync(params Func<TopicCall, Task>[] scripts) => StartAsync(100, scripts);

    /// <param name="streams">The maximum number of concurrent streams of a connection.</param>
    /// <param name="scripts">The scripts of the calls, in order.</param>
    public static async Task<TopicScript> StartAsync(int streams, params Func<TopicCall, Task>[] scripts)
    {
        TopicScript script = new(scripts, streams);
        await script._server.StartAsync();
        return script;
    }

    public CacheClient Connect(Configuration? configuration = null) =>
        new(configuration ?? Configurations.Laptop.Latest(), CredentialProvider.Local(port: Port), TimeSpan.FromMinutes(1));

    public async ValueTask DisposeAsync()
    {
        using CancellationTokenSource now = new();
        await now.CancelAsync();
        await _server.StopAsync(now.Token);
        await _server.DisposeAsync();
    }

    private async Task RunAsync(HttpContext context)
    {
        using MemoryStream body = new();
        await context.Request.Body.CopyToAsync(body);
        TopicCall call = new(context, Protocol.SubscribeRequest.Parser.ParseFrom(body.ToArray().AsSpan(5)));
        Func<TopicCall, Task> script;
        lock (_calls)
        {
            script = _scripts[Math.Min(_calls.Count, _scripts.Length - 1)];
            _calls.Add(call);
        }

        Interlocked.Increment(ref _open);
        try
        {
            await script(call);
        }
        catch (OperationCanceledException)
        {
            // The client has disconnected.
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }
}

/// <summary>One Subscribe call, and the methods with which a script responds to the call.</summary>
internal sealed class TopicCall(HttpContext context, Protocol.SubscribeRequest request)
{
    private long _written;

    public Protocol.SubscribeRequest Request => request;

    /// <summary>Gets a copy of the request's metadata. The copy stays valid after the request has ended.</summary>
    public IHeaderDictionary Headers { get; } = new HeaderDictionary(context.Request.Headers.ToDictionary(StringComparer.OrdinalIgnoreCase));

    /// <summary>Gets the number of bytes written to the connection so far.</summary>
    public long Written => Volatile.Read(ref _written);

    public async Task BeginAsync(string? position = null)
    {
        context.Response.ContentType = "application/grpc";
        if (position is not null)
        {
            context.Response.Headers["topic-position"] = position;
        }

        await context.Response.StartAsync(context.RequestAborted);
        await HeartbeatAsync();
    }

    public Task HeartbeatAsync() => WriteAsync(new Protocol.SubscriptionItem { Heartbeat = new() });

    public Task ItemAsync(ulong number, ulong page = 7, string? text = null) => WriteAsync(new Protocol.SubscriptionItem
    {
        Item = new() { TopicSequenceNumber = number, SequencePage = page, Value = new() { Text = text ?? number.ToString(CultureInfo.InvariantCulture) } },
    });

    public Task GapAsync(ulong last, ulong newest, ulong page = 7) => WriteAsync(new Protocol.SubscriptionItem
    {
        Discontinuity = new() { LastTopicSequence = last, NewTopicSequence = newest, NewSequencePage = page },
    });

    public Task WriteAsync(Protocol.SubscriptionItem message) => WriteAsync(message.ToByteArray());

    /// <summary>
    /// Writes a frame with the given message. If <paramref name="length"/> is given, the frame's header states that length instead of the real one.
    /// </summary>
    public async Task WriteAsync(byte[] message, int? length = null)
    {
        byte[] frame = new byte[5 + message.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), length ?? message.Length);
        message.CopyTo(frame, 5);
        if (!context.Response.HasStarted)
        {
            context.Response.ContentType = "application/grpc";
        }

        await context.Response.Body.WriteAsync(frame, context.RequestAborted);
        await context.Response.Body.FlushAsync(context.RequestAborted);
        Interlocked.Add(ref _written, frame.Length);
    }

    public Task EndAsync(int status = 0, string? cause = null)
    {
        Add("grpc-status", status.ToString(CultureInfo.InvariantCulture));
        if (cause is not null)
        {
            Add("err", cause);
        }

        return Task.CompletedTask;

        // If no message was sent before, the trailers are sent as headers.
        void Add(string name, string value)
        {
            if (context.Response.HasStarted)
            {
                context.Response.AppendTrailer(name, value);
            }
            else
            {
                context.Response.ContentType = "application/grpc";
                context.Response.Headers[name] = value;
            }
        }
    }

    /// <summary>Waits until the client disconnects.</summary>
    public Task HoldAsync() => Task.Delay(Timeout.Infinite, context.RequestAborted);

    /// <summary>Resets the stream.</summary>
    public void Reset() => context.Abort();

    /// <summary>Breaks the underlying connection.</summary>
    public void Break() => context.Features.Get<IConnectionLifetimeFeature>()!.Abort();
}
