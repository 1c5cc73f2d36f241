using Larder.Client.Calls;
using Larder.Wire;
using Larder.Wire.Threads;

namespace Larder.Client;

/// <summary>Sends one HTTP/2 request per call, over the channels of a <see cref="ChannelPool"/>.</summary>
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

    // A call starts on the thread that returned its permit, so that several calls can leave in one write. An attempt that fails at once passes its permit on
    // recursively; above this depth the next one runs on another thread.
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

    /// <summary>Cancels a call's unary attempt, whichever transport started it.</summary>
    public static void Abandon(Call call)
    {
        CancellationTokenSource? attempt = call.UnaryAbandonment;
        call.UnaryAbandonment = null;
        // The callbacks belong to the HTTP stack: none runs application code, and none throws.
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
                // Its connection may have been lost unnoticed while there was no call on it.
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
