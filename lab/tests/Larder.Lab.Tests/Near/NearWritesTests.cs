using Larder.Agent;

namespace Larder.Lab.Tests.Near;

/// <summary>Tests the writes of a near run. clients/node/agent and clients/python/tests contain the same test cases.</summary>
public sealed class NearWritesTests
{
    private const int Key = 3;
    private const long SettleNs = 1_000;

    private readonly NearWrites _writes = new(keys: 10, SettleNs);

    [Fact]
    public void Key_is_written_by_one_caller_at_a_time()
    {
        Assert.Equal(1, _writes.TryBegin(Key, nowNs: 1));
        Assert.Equal(0, _writes.TryBegin(Key, nowNs: 2));
        Assert.Equal(1, _writes.TryBegin(Key + 1, nowNs: 2));

        _writes.Finished(Key);
        Assert.Equal(2, _writes.TryBegin(Key, nowNs: 3));
        Assert.Equal(2, _writes.Issued(Key));
    }

    [Fact]
    public void Key_with_unknown_write_outcome_is_blocked_until_settled()
    {
        _writes.TryBegin(Key, nowNs: 1);
        _writes.Unknown(Key, nowNs: 10);

        Assert.Equal(1, _writes.Unsettled());
        Assert.Equal(0, _writes.TryBegin(Key, nowNs: 10 + SettleNs));
        Assert.Equal(2, _writes.TryBegin(Key, nowNs: 11 + SettleNs));
        Assert.Equal(0, _writes.Unsettled());
    }

    [Fact]
    public void Key_with_unknown_write_outcome_is_released_when_read()
    {
        _writes.TryBegin(Key, nowNs: 1);
        _writes.Finished(Key);
        _writes.TryBegin(Key, nowNs: 2);
        _writes.Unknown(Key, nowNs: 10);

        _writes.Seen(Key, version: 1);
        Assert.Equal(0, _writes.TryBegin(Key, nowNs: 11));
        _writes.Seen(Key, version: 2);
        Assert.Equal(3, _writes.TryBegin(Key, nowNs: 11));
        // Reading a version does not complete a write that is in progress.
        _writes.Seen(Key, version: 3);
        Assert.Equal(0, _writes.TryBegin(Key, nowNs: 12));
    }
}
