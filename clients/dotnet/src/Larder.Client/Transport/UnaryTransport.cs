using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <summary>Sends each call as one HTTP/2 request, on the channels of a <see cref="ChannelPool"/>.</summary>
internal sealed class UnaryTransport(ChannelPool channels, CallHeaders headers, Clock clock) : IGatewayTransport
{
    private const int MaxNested = 8;

    [ThreadStatic]
    private static int s_nested;

    public string State => channels.State;

    public int Connections => channels.Connected;

    public Failure? Refusal => channels.Refusal;

    public bool IsPipelined => false;

    public bool IsReady => channels.TakesCalls;

    public int InFlight => channels.Streams;

    public ChannelPool Channels => channels;

    public Clock Clock => clock;

    public void Start(Call call, long version)
    {
        call.Route = null;
        call.SendUnary(this, version);
    }

    // A call starts on the thread that released its permit, so that several calls can be sent in one write. If an attempt fails immediately, its permit passes
    // to the next call, which starts recursively on the same thread. At the maximum depth, the next call starts on another thread instead.
    public void Resume(Call call, long version)
    {
        if (s_nested == MaxNested)
        {
            PoolQueue.Work.Add(static next => next.Transport.Start(next.Call, next.Version), (Transport: this, Call: call, Version: version));
            return;
        }

        s_nested++;
        Start(call, version);
        s_nested--;
    }

    public bool TrySend(Call call, long version, bool isCallersThread)
    {
        if (isCallersThread)
        {
            Start(call, version);
        }
        else
        {
            Resume(call, version);
        }

        return true;
    }

    public void Abandon(Call call, long version) => Abandon(call);

    /// <summary>Cancels the unary attempt of a call, regardless of which transport started it.</summary>
    public static void Abandon(Call call)
    {
        CancellationTokenSource? attempt = call.UnaryAbandonment;
        call.UnaryAbandonment = null;
        // The registered callbacks belong to the HTTP stack. They run no application code and do not throw.
        attempt?.Cancel();
    }

    public async ValueTask ConnectAsync(CancellationToken cancellationToken)
    {
        try
        {
            PooledChannel channel = await channels.AcquireAsync(cancellationToken).On(PoolQueue.Work);
            bool isBroken = true;
            try
            {
                // Reconnects if the connection was lost while no call used it.
                await channel.Channel!.ConnectAsync(cancellationToken).On(PoolQueue.Work);
                isBroken = false;
            }
            finally
            {
                channels.Release(channel, isBroken);
            }
        }
        catch (ConnectException exception)
        {
            throw new RpcException(new Status(StatusCode.Unavailable, exception.Message));
        }
    }

    public RpcHeaders HeadersOf(Call call, out int shown)
    {
        CallHeaders.OfToken now = headers.Now;
        shown = now.Shown;
        return call.Operation.IsScopedToCache ? now.For(call.Cache) : now.Common;
    }

    public ValueTask DisposeAsync() => channels.DisposeAsync();
}
