using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;

namespace Larder.Server.Tests.Costs;

/// <summary>The costliest legal request of an rpc, with its documented outcome.</summary>
/// <param name="Request">The request.</param>
/// <param name="Outcome">
/// The name of the set field of the response's oneof, the value of its <c>result</c> field, or <see cref="Done"/> if the response has neither.
/// </param>
internal sealed record CostliestCall(IMessage Request, string Outcome = CostliestCall.Done)
{
    /// <summary>The outcome of a response that has neither a oneof nor a result field.</summary>
    public const string Done = "done";

    /// <summary>The outcome of a call on the pipelined transport whose response is larger than 64 KB (PIPE-9, COLL-7).</summary>
    public const string UseUnary = "use_unary";

    /// <summary>
    /// The calls to run before each attempt. They create the data that the request reads, or restore data that an earlier attempt changed. They may fail if
    /// there is nothing to change.
    /// </summary>
    public IReadOnlyList<(string Path, IMessage Request)> Before { get; init; } = [];

    /// <summary>The outcome on the pipelined transport.</summary>
    public string PipelinedOutcome { get; init; } = Outcome;

    /// <summary>
    /// The number of operations in one pipelined message. It is large enough to keep a server without cost limits busy for much more than a second. It is 1 for
    /// calls that are always cheap.
    /// </summary>
    public int Repeats { get; init; } = 1;

    /// <summary>Returns the outcome of a response.</summary>
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
