namespace Larder.Redis.Tests;

/// <summary>A store under test, with what it told the operator.</summary>
internal sealed class TestStore : IAsyncDisposable
{
    private readonly List<RedisNotice> _notices = [];

    public TestStore(string url, Func<RedisOptions, RedisOptions>? change = null)
    {
        RedisOptions options = RedisOptions.Parse(url) with { OnNotice = Note };
        Store = RedisStore.Start(change?.Invoke(options) ?? options);
    }

    public RedisStore Store { get; }

    public RedisNotice[] Notices
    {
        get
        {
            lock (_notices)
            {
                return [.. _notices];
            }
        }
    }

    /// <summary>Waits until it is ready.</summary>
    public TestStore Ready()
    {
        Patience.Until(() => Store.IsReady && Store.Statistics().Nodes.All(static node => node.IsConnected || !node.IsMaster), "the store is ready");
        return this;
    }

    public Task<string?> Call(params string[] words) => Send(new TestCommand(words));

    public Task<string?> Send(TestCommand command)
    {
        Store.Send(command);
        Store.Flush();
        return command.Answer.WaitAsync(Patience.Limit);
    }

    /// <summary>How a command fails; the test fails where it does not.</summary>
    public async Task<RedisFailure> Failure(TestCommand command) => (await Assert.ThrowsAsync<RedisFailedException>(() => Send(command))).Failure;

    /// <summary>A deadline so far from now.</summary>
    public static long Within(double seconds) => TimeProvider.System.GetTimestamp() + (long)(seconds * TimeProvider.System.TimestampFrequency);

    public ValueTask DisposeAsync() => Store.DisposeAsync();

    private void Note(RedisNotice notice)
    {
        lock (_notices)
        {
            _notices.Add(notice);
        }
    }
}
