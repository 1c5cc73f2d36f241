using System.Net;
using System.Net.Sockets;
using Larder.Client.Tests.Support;
using Larder.Client.Topics;
using Larder.Wire;

namespace Larder.Client.Tests.Topics;

public sealed class SubscriptionGateTests
{
    private readonly RetryPolicy _backOff = RetryPolicy.From(Configurations.Laptop.Latest());
    private readonly SubscriptionGate _gate;
    private static readonly Status Lost = new(StatusCode.Unavailable, "The connection was lost.");
    private TimeSpan _now;

    public SubscriptionGateTests() => _gate = new(_backOff, () => _now, static () => 1);

    [Fact]
    public async Task Cancelled_connection_attempt_does_not_affect_other_subscriptions()
    {
        using TcpListener silent = Listen();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel left = ChannelTo(PortOf(silent));
        await using RpcChannel stays = ChannelTo(server.Port);
        Task first = _gate.PassAsync(left, CancellationToken.None).AsTask();
        Task second = _gate.PassAsync(stays, CancellationToken.None).AsTask();
        await left.DisposeAsync();
        await Assert.ThrowsAsync<RpcException>(() => first);
        await second;
        Assert.True(stays.IsConnected);
        await using RpcChannel comes = ChannelTo(server.Port);
        await _gate.PassAsync(comes, CancellationToken.None);
    }

    [Fact]
    public async Task Connection_attempt_soon_after_a_failure_fails_with_same_status()
    {
        using TcpListener gone = Listen();
        int port = PortOf(gone);
        gone.Stop();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel fails = ChannelTo(port);
        await using RpcChannel comes = ChannelTo(server.Port);
        RpcException failure = await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(fails, CancellationToken.None).AsTask());
        Assert.Equal(failure.Status, (await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(comes, CancellationToken.None).AsTask())).Status);
    }

    [Fact]
    public async Task Subscription_gate_allows_concurrent_attempts_to_a_reachable_gateway()
    {
        using TcpListener silent = Listen();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel first = ChannelTo(server.Port);
        await using RpcChannel hangs = ChannelTo(PortOf(silent));
        await using RpcChannel next = ChannelTo(server.Port);
        await _gate.PassAsync(first, CancellationToken.None);
        Task hanging = _gate.PassAsync(hangs, CancellationToken.None).AsTask();
        await _gate.PassAsync(next, CancellationToken.None).AsTask().WaitAsync(Eventually.Limit);
        Assert.False(hanging.IsCompleted);
        await hangs.DisposeAsync();
        await Assert.ThrowsAsync<RpcException>(() => hanging);
        await using RpcChannel last = ChannelTo(server.Port);
        await _gate.PassAsync(last, CancellationToken.None);
    }

    [Fact]
    public async Task SubscriptionGate_admits_one_attempt_at_a_time_after_connection_loss()
    {
        using TcpListener silent = Listen();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel first = ChannelTo(server.Port);
        await using RpcChannel hangs = ChannelTo(PortOf(silent));
        await using RpcChannel next = ChannelTo(server.Port);
        await _gate.PassAsync(first, CancellationToken.None);
        _gate.Doubt(first, Lost);
        _now = _backOff.BackOff(1, 1);
        Task hanging = _gate.PassAsync(hangs, CancellationToken.None).AsTask();
        Task waiting = _gate.PassAsync(next, CancellationToken.None).AsTask();
        using TcpClient tried = await silent.AcceptTcpClientAsync();
        Assert.False(next.IsConnected);
        // The server closes the connection, and no caller has cancelled. So the waiting attempt fails with the same error as the hanging attempt.
        tried.Close();
        RpcException failure = await Assert.ThrowsAsync<RpcException>(() => hanging);
        Assert.Equal(failure.Status, (await Assert.ThrowsAsync<RpcException>(() => waiting)).Status);
        Assert.False(next.IsConnected);
    }

    [Fact]
    public async Task Concurrent_failures_count_as_one_failure_of_the_gateway()
    {
        using TcpListener ends = Listen();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel first = ChannelTo(server.Port);
        await _gate.PassAsync(first, CancellationToken.None);
        RpcChannel[] many = [.. Enumerable.Range(0, 10).Select(_ => ChannelTo(PortOf(ends)))];
        Task[] passing = [.. many.Select(channel => _gate.PassAsync(channel, CancellationToken.None).AsTask())];
        TcpClient[] tried = await Task.WhenAll(many.Select(_ => ends.AcceptTcpClientAsync()));
        Assert.All(tried, static one => one.Dispose());
        foreach (Task one in passing)
        {
            await Assert.ThrowsAsync<RpcException>(() => one);
        }

        await using RpcChannel comes = ChannelTo(server.Port);
        await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(comes, CancellationToken.None).AsTask());
        _now = _backOff.BackOff(1, 1);
        await _gate.PassAsync(comes, CancellationToken.None);
        await Task.WhenAll(many.Select(static channel => channel.DisposeAsync().AsTask()));
    }

    [Fact]
    public async Task Waiting_subscription_connects_its_own_channel()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel first = ChannelTo(server.Port);
        await using RpcChannel second = ChannelTo(server.Port);
        await Task.WhenAll(_gate.PassAsync(first, CancellationToken.None).AsTask(), _gate.PassAsync(second, CancellationToken.None).AsTask());
        Assert.Equal((true, true), (first.IsConnected, second.IsConnected));
        _gate.Doubt(second, Lost);
        await using RpcChannel next = ChannelTo(server.Port);
        await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(next, CancellationToken.None).AsTask());
    }

    [Fact]
    public async Task Connections_lost_before_a_message_lengthen_the_wait()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        for (int failures = 1; failures <= 5; failures++)
        {
            await using RpcChannel lost = ChannelTo(server.Port);
            await _gate.PassAsync(lost, CancellationToken.None);
            _gate.Doubt(lost, Lost);
            await using RpcChannel early = ChannelTo(server.Port);
            _now += _backOff.BackOff(failures, 1) - TimeSpan.FromTicks(1);
            Assert.Equal(Lost, (await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(early, CancellationToken.None).AsTask())).Status);
            _now += TimeSpan.FromTicks(1);
        }
    }

    [Fact]
    public async Task Message_ends_the_back_off()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        for (int failures = 1; failures <= 3; failures++)
        {
            await using RpcChannel lost = ChannelTo(server.Port);
            await _gate.PassAsync(lost, CancellationToken.None);
            _gate.Doubt(lost, Lost);
            _now += _backOff.BackOff(failures, 1);
        }

        await using RpcChannel heard = ChannelTo(server.Port);
        await _gate.PassAsync(heard, CancellationToken.None);
        _gate.Confirm();
        _gate.Doubt(heard, Lost);
        await using RpcChannel next = ChannelTo(server.Port);
        await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(next, CancellationToken.None).AsTask());
        _now += _backOff.BackOff(1, 1);
        await _gate.PassAsync(next, CancellationToken.None);
    }

    [Fact]
    public async Task Connections_lost_together_count_as_one_failure()
    {
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel one = ChannelTo(server.Port);
        await using RpcChannel other = ChannelTo(server.Port);
        await _gate.PassAsync(one, CancellationToken.None);
        await _gate.PassAsync(other, CancellationToken.None);
        _gate.Doubt(one, Lost);
        _gate.Doubt(other, Lost);
        _now += _backOff.BackOff(1, 1);
        await using RpcChannel next = ChannelTo(server.Port);
        await _gate.PassAsync(next, CancellationToken.None);

        // A late report of the old loss does not affect the new connection.
        _gate.Doubt(other, Lost);
        await using RpcChannel last = ChannelTo(server.Port);
        await _gate.PassAsync(last, CancellationToken.None);
    }

    private static TcpListener Listen()
    {
        TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return listener;
    }

    private static int PortOf(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;

    private static RpcChannel ChannelTo(int port) => new(new RpcChannelOptions
    {
        Endpoint = new Uri($"http://127.0.0.1:{port}"),
        ConnectTimeout = Eventually.Limit,
    });
}
