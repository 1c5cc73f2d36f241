using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

/// <summary>Requests made from the contract's own descriptors, so that a new rpc has one without being thought of.</summary>
internal static class RequestOf
{
    private static readonly Dictionary<string, MethodDescriptor> Methods = new FileDescriptor[]
    {
        CacheReflection.Descriptor, ControlReflection.Descriptor, ExtrasReflection.Descriptor, TokenReflection.Descriptor, PubsubReflection.Descriptor,
    }.SelectMany(static file => file.Services).SelectMany(static service => service.Methods)
        .ToDictionary(static method => $"/{method.Service.FullName}/{method.Name}", StringComparer.Ordinal);

    /// <summary>Every rpc of the contract but the pipeline, by its path.</summary>
    public static IEnumerable<string> Paths => Methods.Keys;

    public static MessageDescriptor Descriptor(CallPolicy policy) => Methods[policy.Path].InputType;

    /// <summary>What an answer of the call consists of.</summary>
    public static MessageDescriptor Answer(CallPolicy policy) => Methods[policy.Path].OutputType;

    /// <summary>A request that names a key wherever one can be named, and else is empty: past the door it may be an invalid argument.</summary>
    /// <param name="policy">The call.</param>
    /// <param name="key">The key.</param>
    /// <param name="cache">What a call that names its cache itself names.</param>
    /// <param name="isStronger">Whether it has the arm that makes it need more.</param>
    public static IMessage Naming(CallPolicy policy, string key, string cache, bool isStronger)
    {
        MessageDescriptor descriptor = Descriptor(policy);
        IMessage request = descriptor.Parser.ParseFrom(ByteString.Empty);
        foreach (KeyField each in policy.Keys)
        {
            FieldDescriptor field = descriptor.FindFieldByNumber(each.Field);
            object value = ByteString.CopyFromUtf8(key);
            if (each.Within != 0)
            {
                IMessage item = field.MessageType.Parser.ParseFrom(ByteString.Empty);
                field.MessageType.FindFieldByNumber(each.Within).Accessor.SetValue(item, value);
                value = item;
            }

            Set(request, field, value);
        }

        if (policy.Needs == Rights.Admin)
        {
            descriptor.FindFieldByName("name").Accessor.SetValue(request, cache);
        }

        if (policy.IsOfTopics)
        {
            descriptor.FindFieldByName("cache_name").Accessor.SetValue(request, cache);
            descriptor.FindFieldByName("topic").Accessor.SetValue(request, key);
            (request as PublishRequest)?.Value = new TopicValue { Text = "v" };
        }

        if (isStronger)
        {
            FieldDescriptor arm = descriptor.FindFieldByNumber(policy.StrongerArm);
            arm.Accessor.SetValue(request, arm.MessageType.Parser.ParseFrom(ByteString.Empty));
        }

        return request;
    }

    /// <summary>The operation of a pipeline that carries a request.</summary>
    public static Operation Operation(CallPolicy policy, IMessage request, string cache)
    {
        Operation operation = new() { Id = 1, Cache = cache };
        Larder.Protocol.Operation.Descriptor.FindFieldByNumber(policy.PipelineField).Accessor.SetValue(operation, request);
        return operation;
    }

    /// <summary>The keys that a field names, by the contract's names for them.</summary>
    public static IEnumerable<KeyField> KeysIn(FieldDescriptor field)
    {
        if (IsKey(field))
        {
            return [new KeyField(field.FieldNumber, 0)];
        }

        return field is { IsRepeated: true, FieldType: FieldType.Message }
            ? field.MessageType.Fields.InFieldNumberOrder().Where(IsKey).Select(within => new KeyField(field.FieldNumber, within.FieldNumber))
            : [];
    }

    private static bool IsKey(FieldDescriptor field) => field is { FieldType: FieldType.Bytes, Name: "key" or "keys" or "name" };

    private static void Set(IMessage request, FieldDescriptor field, object value)
    {
        if (field.IsRepeated)
        {
            ((System.Collections.IList)field.Accessor.GetValue(request)).Add(value);
        }
        else
        {
            field.Accessor.SetValue(request, value);
        }
    }
}
