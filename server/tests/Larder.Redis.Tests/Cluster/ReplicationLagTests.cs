namespace Larder.Redis.Tests;

/// <summary>Tests of the lag of replicas.</summary>
public sealed class ReplicationLagTests
{
    [Fact]
    public void Replication_lag_is_the_lag_of_the_slowest_replica() => Assert.Equal(
        30,
        ReplicationLag.Read(
            "# Replication\r\nrole:master\r\nconnected_slaves:2\r\nslave0:ip=127.0.0.1,port=1,state=online,offset=90,lag=0\r\n"
            + "slave1:ip=127.0.0.1,port=2,state=online,offset=70,lag=1\r\nmaster_repl_offset:100\r\n"));

    [Theory]
    [InlineData("role:master\r\nconnected_slaves:0\r\nmaster_repl_offset:100\r\n")]
    [InlineData("slave0:ip=127.0.0.1,port=1,state=online,offset=x,lag=0\r\nmaster_repl_offset:100\r\n")]
    [InlineData("")]
    public void Replication_lag_is_null_without_readable_replica(string info) => Assert.Null(ReplicationLag.Read(info));
}
