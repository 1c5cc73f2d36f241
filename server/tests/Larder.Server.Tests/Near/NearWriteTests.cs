using System.Collections;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;
using Larder.Server.Security;
using Larder.Server.Tests.Calls;
using Larder.Server.Tests.Security;

namespace Larder.Server.Tests.Near;

/// <summary>
/// Tests that every call that may write notifies the readers of the key (NEAR-3). The test data come from the call table, so new calls are covered
/// automatically.
/// </summary>
public class NearWriteTests
{
    private const string Key = "k";

    // If a request has a oneof, the test sets one of these fields, so that the call writes.
    private static readonly string[] Arms = ["present", "unconditional", "overwrite_to_ms", "all", "subtrahend", "identity"];

    public static TheoryData<string> Writes =>
        [.. CallPolicies.All.Where(static each => each.PipelineField != 0 && each.Most.HasFlag(Rights.Write)).Select(static each => each.Path).Order()];

    [Theory]
    [MemberData(nameof(Writes))]
    public async Task NEAR_3_every_write_call_notifies_readers(string path)
    {
        await using RunningServer server = await StartAsync();
        await using NearClient client = await NearClient.OpenAsync(server);
        // On a gateway, wait until its connections to the nodes exist.
        await client.SettleAsync();
        string call = path[(path.LastIndexOf('/') + 1)..];
        if (Before(call) is { } before)
        {
            await AskAsync(client, path.Replace(call, before, StringComparison.Ordinal));
        }

        // The server tracks the read even if the key has no value.
        await client.GetAsync(Key);
        Result answer = await AskAsync(client, path);
        Assert.NotEqual(Result.OutcomeOneofCase.Status, answer.OutcomeCase);
        await client.SettleAsync();
        Assert.True(client.Told.Count == 1, $"{answer}: told {client.Told.Count} tickets");
    }

    private protected virtual Task<RunningServer> StartAsync() => RunningServer.StartAsync();

    // Returns the call that stores the value of the key before the test; null if the key is missing before the test.
    private static string? Before(string call) => call switch
    {
        "SetUnion" or "DictionarySet" or "SetIfNotExists" => null,
        "SetDifference" or "SetPop" => "SetUnion",
        _ when call.StartsWith("Dictionary", StringComparison.Ordinal) => "DictionarySet",
        _ when call.StartsWith("SortedSet", StringComparison.Ordinal) => "SortedSetPut",
        _ when call.StartsWith("List", StringComparison.Ordinal) => "ListPushBack",
        _ => "Set",
    };

    private static Task<Result> AskAsync(NearClient client, string path)
    {
        CallPolicy policy = CallPolicy.Of(path)!;
        return client.AskAsync(RequestOf.Operation(policy, Filled(RequestOf.Descriptor(policy)), RunningServer.Cache));
    }

    private static IMessage Filled(MessageDescriptor descriptor)
    {
        IMessage message = descriptor.Parser.ParseFrom(ByteString.Empty);
        foreach (FieldDescriptor field in descriptor.Fields.InFieldNumberOrder().Where(IsChosen))
        {
            object value = ValueOf(field);
            if (field.IsRepeated)
            {
                ((IList)field.Accessor.GetValue(message)).Add(value);
            }
            else
            {
                field.Accessor.SetValue(message, value);
            }
        }

        return message;
    }

    private static bool IsChosen(FieldDescriptor field)
    {
        IList<FieldDescriptor>? arms = field.ContainingOneof?.Fields;
        return arms is null || field == (arms.FirstOrDefault(static arm => Arms.Contains(arm.Name)) ?? arms[0]);
    }

    private static object ValueOf(FieldDescriptor field) => field.FieldType switch
    {
        FieldType.Message => Filled(field.MessageType),
        FieldType.Bytes => CallHarness.Bytes(field.Name is "key" or "name" or "keys" ? Key : "1"),
        FieldType.UInt64 => field.Name.EndsWith("ms", StringComparison.Ordinal) ? 60_000UL : 1UL,
        FieldType.UInt32 => 1U,
        FieldType.SInt32 => 1,
        FieldType.Int64 => 1L,
        FieldType.Double => 1.0,
        FieldType.Float => 1.0f,
        FieldType.Bool => true,
        FieldType.Enum => 0,
        FieldType.String => "",
        _ => throw new NotSupportedException(field.FullName),
    };
}
