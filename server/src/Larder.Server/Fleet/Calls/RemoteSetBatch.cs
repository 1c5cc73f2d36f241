using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>SetBatch in one message: a SET for each item but those that a later one of the same key replaces.</summary>
internal sealed class RemoteSetBatch : RemoteJoinedCall
{
    protected override CallError? Check(CallRules rules, ReadOnlySpan<byte> request) => SetBatchCall.Check(rules, request);

    protected override RemoteJoin Join(RemoteCommand command) => new SetBatchJoin(command);
}
