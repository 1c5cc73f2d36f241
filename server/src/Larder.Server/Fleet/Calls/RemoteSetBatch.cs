using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs a SetBatch in one message as one SET per item. An item is not sent if a later item of the batch has the same key.</summary>
internal sealed class RemoteSetBatch : RemoteJoinedCall
{
    protected override CallError? Check(CallRules rules, ReadOnlySpan<byte> request) => SetBatchCall.Check(rules, request);

    protected override RemoteJoin Join(RemoteCommand command) => new SetBatchJoin(command);
}
