using Larder.Client.Calls;
using Larder.Client.Tests.Support;
using Larder.Harness.Clocks;

namespace Larder.Client.Tests;

public sealed class TokenSourceTests
{
    private readonly ManualTime _time = new();
    private int _asked;

    [Fact]
    public async Task AUTH_30_provider_token_is_reused_by_later_callers()
    {
        using TokenSource tokens = Of(() => "one");
        Assert.Null(await tokens.NewerThanAsync(0));
        Assert.Null(await tokens.NewerThanAsync(0));
        Assert.Equal(("one", 1, 1), (tokens.Current.Text, tokens.Current.Number, _asked));
    }

    [Fact]
    public async Task AUTH_31_concurrent_rejected_calls_request_one_new_token()
    {
        int next = 0;
        using TokenSource tokens = Of(() => $"token{next++}");
        Assert.Null(await tokens.NewerThanAsync(0));
        NoToken?[] answers = await Task.WhenAll(Enumerable.Range(0, 1_000).Select(_ => tokens.NewerThanAsync(1).AsTask()));
        Assert.All(answers, Assert.Null);
        Assert.Null(await tokens.NewerThanAsync(1));
        Assert.Equal(2, _asked);
    }

    [Fact]
    public async Task AUTH_31_provider_is_called_at_most_once_per_second()
    {
        using TokenSource tokens = Of(() => "same");
        for (int tenth = 0; tenth < 50; tenth++)
        {
            await tokens.NewerThanAsync(tokens.Current.Number);
            _time.Advance(TimeSpan.FromMilliseconds(100));
        }

        // The first token does not delay the next request. So the provider is called at 0 and 0.1 s, and then once a second until 4.1 s.
        Assert.Equal(6, _asked);
    }

    public static TheoryData<string, Func<ValueTask<string>>> Broken => new()
    {
        { "threw FormatException", () => throw new FormatException("sesame") },
        { "threw TimeoutException", async () => { await Task.Yield(); throw new TimeoutException("sesame"); } },
        { "threw OperationCanceledException", () => ValueTask.FromException<string>(new OperationCanceledException("sesame")) },
        { "returned null", () => new ValueTask<string>((string)null!) },
        { "returned an empty token", () => new ValueTask<string>("") },
        { "not printable ASCII", () => new ValueTask<string>("sesame\n") },
        { "not printable ASCII", () => new ValueTask<string>("sesame\r\ncache: other") },
        { "at most 16384", () => new ValueTask<string>(new string('s', 16_385)) },
    };

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task AUTH_33_invalid_token_error_omits_the_token_and_provider_is_retried(string why, Func<ValueTask<string>> function)
    {
        using TokenSource tokens = new(TokenProvider.From(_ => Count(function)), new Clock(_time));
        NoToken? missing = await tokens.NewerThanAsync(0);
        Assert.Contains(why, missing?.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("sesame", missing?.Message, StringComparison.Ordinal);
        Assert.NotNull(await tokens.NewerThanAsync(0));
        Assert.Equal(1, _asked);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.NotNull(await tokens.NewerThanAsync(0));
        Assert.Equal(2, _asked);
    }

    [Fact]
    public async Task AUTH_32_blocking_provider_times_out_after_30_s()
    {
        using ManualResetEventSlim goOn = new();
        using CancellationTokenSource seen = new();
        using TokenSource tokens = new(
            TokenProvider.From(cancellationToken =>
            {
                cancellationToken.Register(seen.Cancel);
                goOn.Wait(CancellationToken.None);
                return new ValueTask<string>("late");
            }),
            new Clock(_time));
        ValueTask<NoToken?> waiting = tokens.NewerThanAsync(0);
        _time.Advance(TimeSpan.FromSeconds(30));
        Assert.Contains("did not return within 30 s", (await Eventually.Within(waiting))?.Message, StringComparison.Ordinal);
        goOn.Set();
        await Eventually.Holds(() => seen.IsCancellationRequested, "its token is cancelled");
        Assert.Equal(0, tokens.Current.Number);
    }

    [Fact]
    public async Task AUTH_32_disposal_ends_the_wait_and_discards_late_token()
    {
        TaskCompletionSource<string> answer = new();
        using TokenSource tokens = new(TokenProvider.From(_ => new ValueTask<string>(answer.Task)), new Clock(_time));
        ValueTask<NoToken?> waiting = tokens.NewerThanAsync(0);
        tokens.Dispose();
        Assert.Equal("the client was closed", (await Eventually.Within(waiting))?.Message);
        answer.SetResult("late");
        Assert.Equal("the client is closed", (await tokens.NewerThanAsync(0))?.Message);
        Assert.Equal(0, tokens.Current.Number);
    }

    [Fact]
    public async Task AUTH_30_token_is_reread_from_its_file_and_trimmed_each_time()
    {
        string path = Path.GetTempFileName();
        using TokenSource tokens = new(TokenProvider.FromFile(path), new Clock(_time));
        await File.WriteAllTextAsync(path, "one\n");
        Assert.Null(await tokens.NewerThanAsync(0));
        await File.WriteAllTextAsync(path, "  two\r\n");
        Assert.Null(await tokens.NewerThanAsync(1));
        Assert.Equal("two", tokens.Current.Text);
        File.Delete(path);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal($"the token file '{path}' cannot be read: it does not exist", (await tokens.NewerThanAsync(2))?.Message);
        Assert.Equal("two", tokens.Current.Text);
    }

    private TokenSource Of(Func<string> function) =>
        new(TokenProvider.From(_ => Count(() => new ValueTask<string>(function()))), new Clock(_time));

    private ValueTask<string> Count(Func<ValueTask<string>> function)
    {
        Interlocked.Increment(ref _asked);
        return function();
    }
}
