namespace Larder.Wire.Tests.Server.Connections;

public sealed class RpcStreamPhaseTests
{
    private static readonly RpcStreamPhase[] s_all = Enum.GetValues<RpcStreamPhase>();

    [Fact]
    public void A_call_goes_from_its_request_to_its_answer() =>
        Assert.True(Goes(RpcStreamPhase.Idle, RpcStreamPhase.Arriving, RpcStreamPhase.Running, RpcStreamPhase.Answering));

    [Theory]
    [InlineData((int)RpcStreamPhase.Arriving)]
    [InlineData((int)RpcStreamPhase.Running)]
    [InlineData((int)RpcStreamPhase.Answering)]
    public void A_call_is_abandoned_once_wherever_it_is_and_its_stream_serves_no_other(int from)
    {
        Assert.True(Goes((RpcStreamPhase)from, RpcStreamPhase.Abandoned, RpcStreamPhase.Gone));
        Assert.Equal([RpcStreamPhase.Gone], s_all.Where(to => RpcStream.MayMove(RpcStreamPhase.Abandoned, to)));
        Assert.DoesNotContain(s_all, to => RpcStream.MayMove(RpcStreamPhase.Gone, to));
    }

    [Fact]
    public void A_handler_is_started_once_and_ends_once_and_none_starts_that_was_abandoned_before()
    {
        Assert.Equal([RpcStreamPhase.Arriving], s_all.Where(from => RpcStream.MayMove(from, RpcStreamPhase.Running)));
        Assert.Equal([RpcStreamPhase.Running], s_all.Where(from => RpcStream.MayMove(from, RpcStreamPhase.Answering)));
    }

    [Fact]
    public void None_stays_by_moving() => Assert.DoesNotContain(s_all, phase => RpcStream.MayMove(phase, phase));

    private static bool Goes(params RpcStreamPhase[] phases) => phases.Zip(phases.Skip(1)).All(step => RpcStream.MayMove(step.First, step.Second));
}
