namespace Larder.Redis.Tests;

/// <summary>A store under test, with the notices that it sent to the operator.</summary>
internal sealed class TestStore : IAsyncDisposable
{
    private readonly List<RedisNotice> _notices = [];

    public TestStore(string url, Func<RedisOptions, RedisOptions>? change = null)
    {
        // These limits are long enough for a busy machine. Tests of a limit itself set a shorter limit.
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

    /// <summary>Waits until the store is ready.</summary>
    public TestStore Ready()
    {
        Eventually.Until(() => Store.IsReady && Store.Statistics().Nodes.All(static node => node.IsConnected || !node.IsMaster), "the store is ready");
        return this;
    }

    public Task<string?> Call(params string[] words) => Send(new TestCommand(words));

    public Task<string?> Send(TestCommand command)
    {
        Store.Send(command);
        Store.Flush();
        return command.Answer.WaitAsync(Eventually.Limit);
    }

    /// <summary>Returns the failure of a command. The test fails if the command succeeds.</summary>
    public async Task<RedisFailure> Failure(TestCommand command) => (await Assert.ThrowsAsync<RedisFailedException>(() => Send(command))).Failure;

    /// <summary>
    /// Sends a command that no node accepts in time, and returns its failure. If a connection is being opened at the deadline, the command times out instead,
    /// which can happen on a machine that was suspended. In this case, the command is sent again. The command is never executed.
    /// </summary>
    public async Task<RedisFailure> Unavailable(string command, string key)
    {
        RedisFailure failure = null!;
        await Eventually.UntilAsync(
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

    /// <summary>Gets a deadline that is too late to affect the test.</summary>
    public static long Patiently => Within(Eventually.Limit.TotalSeconds);

    /// <summary>Returns a deadline that is the given time from now.</summary>
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
