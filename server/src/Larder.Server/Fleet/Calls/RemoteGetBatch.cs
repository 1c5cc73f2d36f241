using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs a GetBatch as one GET per item.</summary>
internal sealed class RemoteGetBatch : RemoteJoinedCall
{
    protected override CallError? Check(CallRules rules, ReadOnlySpan<byte> request) => GetBatchCall.Check(request);

    protected override RemoteJoin Join(RemoteCommand command) => new GetBatchJoin(command);
}
