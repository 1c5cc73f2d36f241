using Google.Protobuf;
using Google.Protobuf.Reflection;
using Larder.Protocol;
using Larder.Server.Security;

namespace Larder.Server.Tests.Security;

/// <summary>Builds requests from the contract's descriptors, so every new rpc is covered automatically.</summary>
internal static class RequestOf
{
    private static readonly Dictionary<string, MethodDescriptor> Methods = new FileDescriptor[]
    {
        CacheReflection.Descriptor, ControlReflection.Descriptor, ExtrasReflection.Descriptor, TokenReflection.Descriptor, PubsubReflection.Descriptor,
    }.SelectMany(static file => file.Services).SelectMany(static service => service.Methods)
        .ToDictionary(static method => $"/{method.Service.FullName}/{method.Name}", StringComparer.Ordinal);

    /// <summary>The paths of all rpcs of the contract except the pipeline.</summary>
    public static IEnumerable<string> Paths => Methods.Keys;

    public static MessageDescriptor Descriptor(CallPolicy policy) => Methods[policy.Path].InputType;

    /// <summary>Returns the descriptor of a call's response.</summary>
    public static MessageDescriptor Answer(CallPolicy policy) => Methods[policy.Path].OutputType;

    /// <summary>
    /// Returns a request that names a key in every key field and is otherwise empty. The call may reject it as an invalid argument, but only after the access
    /// check.
    /// </summary>
    /// <param name="policy">The call.</param>
    /// <param name="key">The key.</param>
    /// <param name="cache">The cache of a request that names its cache.</param>
    /// <param name="isStronger">Whether to set the field of a oneof that requires more rights.</param>
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

    /// <summary>Returns the pipeline operation that carries a request.</summary>
    public static Operation Operation(CallPolicy policy, IMessage request, string cache)
    {
        Operation operation = new() { Id = 1, Cache = cache };
        Larder.Protocol.Operation.Descriptor.FindFieldByNumber(policy.PipelineField).Accessor.SetValue(operation, request);
        return operation;
    }

    /// <summary>Returns the key fields inside a field. Key fields are recognized by the naming convention of the contract.</summary>
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
