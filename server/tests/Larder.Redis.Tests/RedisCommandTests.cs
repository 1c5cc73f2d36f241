using System.Text;
using Larder.Wire;

namespace Larder.Redis.Tests;

/// <summary>Tests of the encoding of commands.</summary>
public sealed class RedisCommandTests
{
    private readonly TestCommand _command = new("PING");

    [Fact]
    public void Arguments_are_encoded_and_first_key_determines_the_slot()
    {
        _command.Begin(4);
        Assert.Equal(-1, _command.Slot);
        _command.Add("SET"u8);
        _command.AddKey("L1.2:"u8, "a{bar}"u8);
        _command.Add("\r\n\0"u8);
        _command.Add(-1234567890123456789);
        Assert.Equal("*4\r\n$3\r\nSET\r\n$11\r\nL1.2:a{bar}\r\n$3\r\n\r\n\0\r\n$20\r\n-1234567890123456789\r\n", Wire());
        Assert.Equal(5061, _command.Slot);
    }

    [Fact]
    public void Script_is_sent_by_digest_or_in_full()
    {
        RedisScript script = new("one", "return 1");
        _command.BeginScript(script, keys: 1, arguments: 1);
        _command.AddKey(default, "k"u8);
        _command.Add(7);
        string digest = Encoding.ASCII.GetString(script.Digest);
        Assert.Equal("e0e1f9fabfc9d4800c877a703b823ac0578ff8db", digest);
        Assert.Equal($"*5\r\n$7\r\nEVALSHA\r\n$40\r\n{digest}\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\n7\r\n", Wire());
        _command.SendsScriptText = true;
        Assert.Equal("*5\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n1\r\n$1\r\nk\r\n$1\r\n7\r\n", Wire());
    }

    [Fact]
    public void Begin_resets_command_state()
    {
        _command.BeginScript(new RedisScript("one", "return 1"), keys: 1, arguments: 0);
        _command.AddKey(default, "k"u8);
        _command.Deadline = 5;
        _command.IsIdempotent = true;
        _command.Redirects = 3;
        _command.MayHaveRun = true;
        _command.SendsScriptText = true;
        _command.Begin(1);
        _command.Add("PING"u8);
        Assert.Equal("*1\r\n$4\r\nPING\r\n", Wire());
        Assert.Equal((-1, 0L, false, 0, false), (_command.Slot, _command.Deadline, _command.IsIdempotent, _command.Redirects, _command.MayHaveRun));
    }

    [Fact]
    public void Wrong_argument_count_throws()
    {
        _command.Begin(1);
        _command.Add("PING"u8);
        Assert.Throws<InvalidOperationException>(() => _command.Add(1));
        _command.Begin(2);
        _command.Add("GET"u8);
        Assert.Throws<InvalidOperationException>(_command.CheckWhole);
        _command.Begin(1);
        Assert.Throws<InvalidOperationException>(_command.CheckWhole);
    }

    private string Wire()
    {
        using PooledBuffer buffer = new(64);
        _command.WriteTo(buffer);
        Assert.True(buffer.Written <= _command.WireBytes);
        return Encoding.Latin1.GetString(buffer.WrittenSpan);
    }
}
