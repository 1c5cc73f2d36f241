using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests of FLEET-6: the limits of a node's connection.</summary>
public sealed class OverloadTests : IAsyncLifetime
{
    private readonly RedisServer _server = new();
    private TestStore _store = null!;

    public async Task InitializeAsync()
    {
        // Use a long silence limit, so that the store does not close the connection to the paused server.
        _store = new TestStore(_server.Url, static options => options with { SilenceLimit = TimeSpan.FromSeconds(60) }).Ready();
        await _store.Call("PING");
        Eventually.Until(() => _store.Store.Statistics().Outstanding == 0, "what the store asks for itself is answered");
    }

    public async Task DisposeAsync()
    {
        _server.Resume();
        await _store.DisposeAsync();
        _server.Dispose();
    }

    [Theory]
    [InlineData(ConnectionLimits.MaxCalls)]
    [InlineData(ConnectionLimits.MaxCalls + 1)]
    [InlineData(ConnectionLimits.MaxCalls * 10)]
    public async Task Calls_beyond_the_limit_fail_with_Overloaded(int calls)
    {
        _server.Pause();
        TestCommand[] commands = [.. Enumerable.Range(0, calls).Select(static _ => new TestCommand("PING"))];
        foreach (TestCommand command in commands)
        {
            _store.Store.Send(command);
        }

        _store.Store.Flush();
        Assert.All(commands[..ConnectionLimits.MaxCalls], static command => Assert.False(command.Answer.IsCompleted));
        foreach (TestCommand command in commands[ConnectionLimits.MaxCalls..])
        {
            // The command fails during Send.
            Assert.True(command.Answer.IsFaulted);
            RedisFailure failure = (await Assert.ThrowsAsync<RedisFailedException>(() => command.Answer)).Failure;
            Assert.Equal((RedisFailureKind.Overloaded, true), (failure.Kind, failure.NotExecuted));
        }

        _server.Resume();
        string?[] answers = await Task.WhenAll(commands[..ConnectionLimits.MaxCalls].Select(static command => command.Answer));
        Assert.All(answers, static text => Assert.Equal("PONG", text));
        Assert.Equal("PONG", await _store.Call("PING"));
    }

    [Fact]
    public async Task Large_values_reach_byte_limit_without_blocking_small_calls()
    {
        string value = new('x', 1024 * 1024);
        Assert.Equal("OK", await _store.Call("SET", "@k", value));
        _server.Pause();
        TestCommand[] commands = [.. Enumerable.Range(0, 20).Select(_ => new TestCommand("SET", "@k", value))];
        foreach (TestCommand command in commands)
        {
            _store.Store.Send(command);
        }

        Assert.Equal(7, commands.Count(static command => !command.Answer.IsCompleted));
        Task<string?> small = _store.Call("PING");
        _server.Resume();
        Assert.Equal("PONG", await small);
        Assert.All(await Task.WhenAll(commands[..7].Select(static command => command.Answer)), static text => Assert.Equal("OK", text));
    }
}
