using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;

namespace Larder.Server.Tests.Costs;

/// <summary>The costliest legal request of an rpc, and what the documentation says of its answer.</summary>
/// <param name="Request">The request.</param>
/// <param name="Outcome">The arm of the answer's oneof, its <c>result</c>, or <see cref="Done"/> if it has neither.</param>
internal sealed record CostliestCall(IMessage Request, string Outcome = CostliestCall.Done)
{
    /// <summary>The outcome of an answer that has no more than one.</summary>
    public const string Done = "done";

    /// <summary>The outcome of a pipelined answer over 64 KB (PIPE-9, COLL-7).</summary>
    public const string UseUnary = "use_unary";

    /// <summary>Calls before it, each time: what it reads, and what an earlier run of it changed. One that finds nothing to change may fail.</summary>
    public IReadOnlyList<(string Path, IMessage Request)> Before { get; init; } = [];

    /// <summary>The outcome on the pipelined transport.</summary>
    public string PipelinedOutcome { get; init; } = Outcome;

    /// <summary>
    /// Operations of one pipelined message that take a server without limits on cost for well over a second; 1 for calls that are cheap however they are made.
    /// </summary>
    public int Repeats { get; init; } = 1;

    /// <summary>The outcome that an answer has.</summary>
    public static string OutcomeOf(IMessage answer)
    {
        OneofDescriptor? oneof = answer.Descriptor.Oneofs.FirstOrDefault(static each => !each.IsSynthetic);
        if (oneof is not null)
        {
            return oneof.Accessor.GetCaseFieldDescriptor(answer)?.Name ?? "";
        }

        return answer.Descriptor.FindFieldByName("result")?.Accessor.GetValue(answer) is CacheResult result ? $"{result}" : Done;
    }
}
