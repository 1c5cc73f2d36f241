using System.Net;
using System.Net.Sockets;
using Larder.Client.Topics;
using Larder.Wire;

namespace Larder.Client.Tests.Topics;

public sealed class SubscriptionGateTests
{
    private readonly SubscriptionGate _gate = new(RetryPolicy.From(Configurations.Laptop.Latest()), static () => TimeSpan.Zero, static () => 1);

    [Fact]
    public async Task Who_leaves_while_it_connects_takes_nobody_with_it_and_says_nothing_of_the_server()
    {
        using TcpListener silent = new(IPAddress.Loopback, 0);
        silent.Start();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel left = ChannelTo(((IPEndPoint)silent.LocalEndpoint).Port);
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
    public async Task Who_comes_soon_after_a_try_that_failed_shares_its_outcome()
    {
        using TcpListener gone = new(IPAddress.Loopback, 0);
        gone.Start();
        int port = ((IPEndPoint)gone.LocalEndpoint).Port;
        gone.Stop();
        await using TopicScript server = await TopicScript.StartAsync(static call => call.HoldAsync());
        await using RpcChannel fails = ChannelTo(port);
        await using RpcChannel comes = ChannelTo(server.Port);
        RpcException failure = await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(fails, CancellationToken.None).AsTask());
        Assert.Equal(failure.Status, (await Assert.ThrowsAsync<RpcException>(() => _gate.PassAsync(comes, CancellationToken.None).AsTask())).Status);
    }

    private static RpcChannel ChannelTo(int port) => new(new RpcChannelOptions { Endpoint = new Uri($"http://127.0.0.1:{port}") });
}
