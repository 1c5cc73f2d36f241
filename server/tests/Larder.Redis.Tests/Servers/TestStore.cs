namespace Larder.Redis.Tests;

/// <summary>A store under test, with what it told the operator.</summary>
internal sealed class TestStore : IAsyncDisposable
{
    private readonly List<RedisNotice> _notices = [];

    public TestStore(string url, Func<RedisOptions, RedisOptions>? change = null)
    {
        // Limits that a busy machine keeps; the defaults of a second are for who tests them.
        RedisOptions options = RedisOptions.Parse(url) with
        {
            OnNotice = Note,
            ConnectTimeout = TimeSpan.FromSeconds(5),
            SilenceLimit = TimeSpan.FromSeconds(5),
            RetryTime = TimeSpan.FromSeconds(60),
        };
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

    /// <summary>
    /// How it fails where no node takes it in time. One whose connection is being made at its deadline has timed out: on a machine that stands still then,
    /// once more. Neither has run.
    /// </summary>
    public async Task<RedisFailure> Unavailable(string command, string key)
    {
        RedisFailure failure = null!;
        await Patience.UntilAsync(
            async () =>
            {
                failure = await Failure(new TestCommand(command, key) { Deadline = Within(0.3) });
                Assert.True(failure.NotExecuted, failure.ToString());
                return failure.Kind != RedisFailureKind.TimedOut;
            },
            "it is refused before its deadline");
        Assert.Equal(RedisFailureKind.Unavailable, failure.Kind);
        return failure;
    }

    /// <summary>A deadline that is no part of the test.</summary>
    public static long Patiently => Within(Patience.Limit.TotalSeconds);

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
