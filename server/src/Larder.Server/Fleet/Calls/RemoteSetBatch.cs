using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs a SetBatch as one SET per item. If several items have the same key, only the last of them is sent.</summary>
internal sealed class RemoteSetBatch : RemoteJoinedCall
{
    protected override CallError? Check(CallRules rules, ReadOnlySpan<byte> request) => SetBatchCall.Check(rules, request);

    protected override RemoteJoin Join(RemoteCommand command) => new SetBatchJoin(command);
}
