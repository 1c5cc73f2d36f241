using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs a SetBatch in one message as one SET per item, except for items that a later one with the same key replaces.</summary>
internal sealed class RemoteSetBatch : RemoteJoinedCall
{
    protected override CallError? Check(CallRules rules, ReadOnlySpan<byte> request) => SetBatchCall.Check(rules, request);

    protected override RemoteJoin Join(RemoteCommand command) => new SetBatchJoin(command);
}
