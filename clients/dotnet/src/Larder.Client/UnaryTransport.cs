using Larder.Client.Calls;
using Larder.Wire;

namespace Larder.Client;

/// <summary>One HTTP/2 request for each call, over the channels of a <see cref="ChannelPool"/>.</summary>
internal sealed class UnaryTransport(ChannelPool channels, CallHeaders headers, Clock clock) : ITransport
{
    public string State => channels.State;

    public int Connections => channels.Connected;

    public ChannelPool Channels => channels;

    public Clock Clock => clock;

    public void Start(Call call, long version)
    {
        call.Route = null;
        call.SendUnary(this, version);
    }

    // Starting a request takes the HTTP stack longer than the thread that grants permits may.
    public void Resume(Call call, long version) =>
        ThreadPool.UnsafeQueueUserWorkItem(static next => next.Transport.Start(next.Call, next.Version), (Transport: this, Call: call, Version: version), preferLocal: false);

    public void Abandon(Call call, long version)
    {
        CancellationTokenSource? attempt = call.UnaryAbandonment;
        call.UnaryAbandonment = null;
        // The registrations are the HTTP stack's own: none runs a caller's code, and none throws.
        attempt?.Cancel();
    }

    public async ValueTask ConnectAsync(CancellationToken cancellationToken)
    {
        try
        {
            PooledChannel channel = await channels.AcquireAsync(cancellationToken).ConfigureAwait(false);
            channels.Release(channel, isBroken: false);
        }
        catch (ConnectException exception)
        {
            throw new RpcException(new Status(StatusCode.Unavailable, exception.Message));
        }
    }

    public RpcHeaders HeadersOf(Call call) => call.Operation.IsScopedToCache ? headers.For(call.Cache) : headers.Common;

    public ValueTask DisposeAsync() => channels.DisposeAsync();
}
