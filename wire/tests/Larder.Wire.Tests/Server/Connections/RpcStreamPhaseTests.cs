namespace Larder.Wire.Tests.Server.Connections;

public sealed class RpcStreamPhaseTests
{
    private static readonly RpcStreamPhase[] s_all = Enum.GetValues<RpcStreamPhase>();

    [Fact]
    public void Call_phase_advances_from_request_to_response() =>
        Assert.True(Goes(RpcStreamPhase.Idle, RpcStreamPhase.Arriving, RpcStreamPhase.Running, RpcStreamPhase.Answering));

    [Theory]
    [InlineData((int)RpcStreamPhase.Arriving)]
    [InlineData((int)RpcStreamPhase.Running)]
    [InlineData((int)RpcStreamPhase.Answering)]
    public void Call_can_be_abandoned_in_any_phase_only_once(int from)
    {
        Assert.True(Goes((RpcStreamPhase)from, RpcStreamPhase.Abandoned, RpcStreamPhase.Gone));
        Assert.Equal([RpcStreamPhase.Gone], s_all.Where(to => RpcStream.MayMove(RpcStreamPhase.Abandoned, to)));
        Assert.DoesNotContain(s_all, to => RpcStream.MayMove(RpcStreamPhase.Gone, to));
    }

    [Fact]
    public void Handler_starts_once_ends_once_and_never_after_abandon()
    {
        Assert.Equal([RpcStreamPhase.Arriving], s_all.Where(from => RpcStream.MayMove(from, RpcStreamPhase.Running)));
        Assert.Equal([RpcStreamPhase.Running], s_all.Where(from => RpcStream.MayMove(from, RpcStreamPhase.Answering)));
    }

    [Fact]
    public void Phase_cannot_change_to_itself() => Assert.DoesNotContain(s_all, phase => RpcStream.MayMove(phase, phase));

    private static bool Goes(params RpcStreamPhase[] phases) => phases.Zip(phases.Skip(1)).All(step => RpcStream.MayMove(step.First, step.Second));
}
