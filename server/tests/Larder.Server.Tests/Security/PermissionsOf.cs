using Google.Protobuf;
using Larder.Protocol;
using Larder.Server.Tests.Calls;

namespace Larder.Server.Tests.Security;

/// <summary>Creates permissions in the format of the public protocol, including invalid ones.</summary>
internal static class PermissionsOf
{
    public static Permissions Many(int count) =>
        Of([.. Enumerable.Range(0, count).Select(static number => Scope(PermissionRole.ReadOnly, prefix: $"{number:D4}"))]);

    public static Permissions Of(params PermissionsType[] permissions)
    {
        ExplicitPermissions list = new();
        list.Permissions.AddRange(permissions);
        return new Permissions { Explicit = list };
    }

    public static PermissionsType Scope(PermissionRole role, string? cache = RunningServer.Cache, string? key = null, string? prefix = null)
    {
        CachePermissions scope = new() { Role = role };
        if (cache is null)
        {
            scope.AllCaches = new PermitAll();
        }
        else
        {
            scope.CacheSelector = new CacheSelector { CacheName = cache };
        }

        if (key is not null)
        {
            scope.ItemSelector = new CacheItemSelector { Key = CallHarness.Bytes(key) };
        }
        else if (prefix is not null)
        {
            scope.ItemSelector = new CacheItemSelector { KeyPrefix = CallHarness.Bytes(prefix) };
        }

        return new PermissionsType { CachePermissions = scope };
    }

    public static PermissionsType Topic(PermissionRole role) => new()
    {
        TopicPermissions = new TopicPermissions
        {
            Role = role,
            CacheSelector = new CacheSelector { CacheName = RunningServer.Cache },
            AllTopics = new PermitAll(),
        },
    };

    /// <summary>Returns permissions with one cache permission, which is encoded as the given bytes.</summary>
    public static byte[] Raw(byte[] scope) => Field(2, Field(1, Field(1, scope)));

    public static byte[] Field(int number, byte[] content)
    {
        using MemoryStream bytes = new();
        using CodedOutputStream coded = new(bytes);
        coded.WriteTag(number, WireFormat.WireType.LengthDelimited);
        coded.WriteBytes(ByteString.CopyFrom(content));
        coded.Flush();
        return bytes.ToArray();
    }
}
