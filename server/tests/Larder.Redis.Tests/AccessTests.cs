using Larder.Harness.Redis;

namespace Larder.Redis.Tests;

/// <summary>Tests of user names and passwords (S5f).</summary>
public sealed class AccessTests
{
    [Fact]
    public async Task Correct_password_is_accepted()
    {
        using RedisServer server = new("--requirepass", "s3cret");
        await using TestStore store = new($"redis://:s3cret@{server.Endpoint}");
        Assert.Equal("PONG", await store.Call("PING"));
    }

    [Theory]
    [InlineData("redis://", "NOAUTH", "default nopass")]
    [InlineData("redis://:wr0ng@", "WRONGPASS", "default >wr0ng")]
    [InlineData("redis://nobody:s3cret@", "WRONGPASS", "nobody on >s3cret ~* +@all")]
    public async Task Calls_fail_and_operator_is_warned_until_login_is_valid(string login, string word, string remedy)
    {
        using RedisServer server = new("--requirepass", "s3cret");
        await using TestStore store = new($"{login}{server.Endpoint}");
        RedisFailure failure = await store.Failure(new TestCommand("GET", "@k") { Deadline = TestStore.Patiently });
        Assert.Equal((RedisFailureKind.Refused, true), (failure.Kind, failure.NotExecuted));
        Assert.Contains(word, store.Store.WhyNotReady, StringComparison.Ordinal);
        Assert.Contains(store.Notices, notice => notice.IsWarning && notice.Message.Contains(word, StringComparison.Ordinal));
        Assert.DoesNotContain(store.Notices, static notice => notice.Message.Contains("wr0ng", StringComparison.Ordinal));
        // Change the settings of the server, so that the configured login becomes valid.
        Assert.Equal("OK", server.Ask(["acl", "setuser", .. remedy.Split(' ')]));
        await Eventually.UntilAsync(async () => await IsAnswered(store), "it is let in");
    }

    [Fact]
    public async Task Forbidden_command_fails_and_operator_is_warned_once()
    {
        using RedisServer server = new();
        server.Ask("acl", "setuser", "gateway", "on", ">pw", "~*", "+@all", "-del");
        await using TestStore store = new($"redis://gateway:pw@{server.Endpoint}");
        Assert.Equal("OK", await store.Call("SET", "@k", "v"));
        Assert.Equal(RedisFailureKind.Refused, (await store.Failure(new TestCommand("DEL", "@k"))).Kind);
        Assert.Equal(RedisFailureKind.Refused, (await store.Failure(new TestCommand("DEL", "@k"))).Kind);
        RedisNotice notice = Assert.Single(store.Notices, static notice => notice.Message.Contains("NOPERM", StringComparison.Ordinal));
        Assert.Contains("user gateway", notice.Message, StringComparison.Ordinal);
        Assert.Contains("'del' command", notice.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Forbidden_command_in_script_fails_and_operator_is_warned()
    {
        using RedisServer server = new();
        server.Ask("acl", "setuser", "gateway", "on", ">pw", "~*", "+@all", "-del");
        await using TestStore store = new($"redis://gateway:pw@{server.Endpoint}");
        TestCommand command = new(new RedisScript("drop", "return redis.call('DEL', KEYS[1])"), "k");
        // Other commands of the script may have been executed before.
        Assert.Equal(new RedisFailure(RedisFailureKind.Refused, NotExecuted: false, ""), (await store.Failure(command)) with { Message = "" });
        RedisNotice notice = Assert.Single(store.Notices, static notice => notice.Message.Contains("script drop", StringComparison.Ordinal));
        Assert.Contains("user gateway", notice.Message, StringComparison.Ordinal);
    }

    private static async Task<bool> IsAnswered(TestStore store)
    {
        try
        {
            await store.Call("GET", "@k");
            return true;
        }
        catch (RedisFailedException)
        {
            return false;
        }
    }
}
