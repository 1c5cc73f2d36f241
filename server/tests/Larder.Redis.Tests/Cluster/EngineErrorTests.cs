using System.Text;

namespace Larder.Redis.Tests;

/// <summary>Tests of FLEET-8 with the error messages of Redis 7.0.</summary>
public sealed class EngineErrorTests
{
    [Theory]
    [InlineData("WRONGTYPE Operation against a key holding the wrong kind of value", RedisFailureKind.WrongType)]
    [InlineData("WRONGTYPE Operation against a key holding the wrong kind of value script: 1b2c, on @user_script:1.", RedisFailureKind.WrongType)]
    [InlineData("ERR value is not an integer or out of range", RedisFailureKind.NotAnInteger)]
    [InlineData("ERR hash value is not an integer", RedisFailureKind.NotAnInteger)]
    [InlineData("ERR value is not a valid float", RedisFailureKind.NotAnInteger)]
    [InlineData("ERR hash value is not a float", RedisFailureKind.NotAnInteger)]
    [InlineData("ERR increment or decrement would overflow", RedisFailureKind.Overflow)]
    [InlineData("ERR increment would produce NaN or Infinity", RedisFailureKind.Overflow)]
    [InlineData("OOM command not allowed when used memory > 'maxmemory'.", RedisFailureKind.OutOfMemory)]
    [InlineData("NOREPLICAS Not enough good replicas to write.", RedisFailureKind.Unavailable)]
    [InlineData("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.", RedisFailureKind.Unavailable)]
    [InlineData("NOAUTH Authentication required.", RedisFailureKind.Refused)]
    [InlineData("NOPERM this user has no permissions to run the 'get' command", RedisFailureKind.Refused)]
    [InlineData("NOPERM ACL failure in script: User larder has no permissions to run the 'get' command", RedisFailureKind.Refused)]
    [InlineData("ERR The user executing the script can't run this command or subcommand script: 1b2c, on @user_script:1.", RedisFailureKind.Refused)]
    [InlineData("ERR The user executing the script can't access at least one of the keys mentioned in the command arguments", RedisFailureKind.Refused)]
    [InlineData("WRONGPASS invalid username-password pair or user is disabled.", RedisFailureKind.Refused)]
    [InlineData("ERR unknown command 'GTE', with args beginning with: ", RedisFailureKind.Other)]
    [InlineData("ERR value is out of range, must be positive", RedisFailureKind.Other)]
    [InlineData("CROSSSLOT Keys in request don't hash to the same slot", RedisFailureKind.Other)]
    [InlineData("ERR", RedisFailureKind.Other)]
    [InlineData("", RedisFailureKind.Other)]
    [InlineData("WRONGTYPES", RedisFailureKind.Other)]
    public void Final_error_is_mapped_to_failure_kind(string text, RedisFailureKind kind)
    {
        EngineError error = EngineError.Of(Encoding.UTF8.GetBytes(text));
        Assert.Equal((ErrorAnswer.Fail, kind), (error.Answer, error.Kind));
        Assert.Equal(kind != RedisFailureKind.Other, error.NotExecuted);
    }

    [Theory]
    [InlineData("MOVED 3999 127.0.0.1:6381", "FollowMoved")]
    [InlineData("ASK 3999 127.0.0.1:6381", "FollowAsk")]
    [InlineData("LOADING Redis is loading the dataset in memory", "Retry")]
    [InlineData("TRYAGAIN Multiple keys request during rehashing of slot", "Retry")]
    [InlineData("BUSY Redis is busy running a script.", "Retry")]
    [InlineData("CLUSTERDOWN Hash slot not served", "RetryAndRefresh")]
    [InlineData("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", "RetryAndRefresh")]
    [InlineData("READONLY You can't write against a read only replica.", "RetryAndRefresh")]
    [InlineData("NOSCRIPT No matching script. Please use EVAL.", "SendScript")]
    public void Transient_error_is_mapped_to_its_retry_action(string text, string answer) =>
        Assert.Equal(answer, EngineError.Of(Encoding.UTF8.GetBytes(text)).Answer.ToString());
}
