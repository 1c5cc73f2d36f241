using System.Text;
using Larder.Wire.Protobuf;

namespace Larder.Server.Security;

/// <summary>
/// Converts the permissions in a request for a disposable token (protocol/proto/token.proto) to grants. Rejects permissions that are contradictory, empty or of
/// an unknown kind. Ignores permissions for functions.
/// </summary>
internal static class PermissionsReader
{
    // The field of permissions for functions, which this server does not support. The widest scope of the published SDKs contains such a permission. It grants
    // nothing on this server.
    private const int Functions = 3;

    private const string Contradiction = "a permission sets a field twice, or sets two mutually exclusive fields; set only one";

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Parses a <c>Permissions</c> message into grants.</summary>
    /// <returns>The error; null on success.</returns>
    public static string? Read(ReadOnlySpan<byte> permissions, out IReadOnlyList<Grant> grants)
    {
        List<Grant> read = [];
        grants = read;
        int kind = 0;
        ProtoReader reader = new(permissions);
        while (reader.NextField())
        {
            string? fault = reader.Field switch
            {
                1 or 2 when kind != 0 => "the request sets the permissions more than once; set them once",
                1 when reader.WireType == ProtoWireType.Varint => ReadSuperUser(ref reader, read),
                2 when reader.WireType == ProtoWireType.LengthDelimited => ReadExplicit(ref reader, read),
                _ => Skip(ref reader),
            };
            if (fault is not null)
            {
                return fault;
            }

            kind = reader.Field is 1 or 2 ? reader.Field : kind;
        }

        return reader.IsMalformed ? "the permissions are malformed" : read.Count == 0 ? "the request has no cache or topic permission" : null;
    }

    private static string? ReadSuperUser(scoped ref ProtoReader reader, List<Grant> grants)
    {
        if (reader.TryReadVarint(out ulong role) && role != 0)
        {
            return "unknown super user role";
        }

        grants.Add(new Grant(Grant.AllCaches, Rights.All, Topics: Rights.ReadWrite));
        return null;
    }

    private static string? ReadExplicit(scoped ref ProtoReader outer, List<Grant> grants)
    {
        if (!outer.TryReadBytes(out ReadOnlySpan<byte> bytes))
        {
            return null;
        }

        ProtoReader reader = new(bytes);
        while (reader.NextField())
        {
            if (!reader.Is(1, ProtoWireType.LengthDelimited))
            {
                reader.TrySkip();
            }
            else if (reader.TryReadBytes(out ReadOnlySpan<byte> permission) && ReadPermission(permission, grants) is { } fault)
            {
                return fault;
            }
        }

        return reader.IsMalformed ? "the permissions are malformed" : null;
    }

    private static string? ReadPermission(ReadOnlySpan<byte> permission, List<Grant> grants)
    {
        int kind = 0;
        ReadOnlySpan<byte> said = default;
        ProtoReader reader = new(permission);
        while (reader.NextField())
        {
            if (reader.WireType != ProtoWireType.LengthDelimited || reader.Field > 3)
            {
                reader.TrySkip();
                continue;
            }

            if (kind != 0)
            {
                return Contradiction;
            }

            kind = reader.Field;
            reader.TryReadBytes(out said);
        }

        return reader.IsMalformed ? "a permission is malformed"
            : kind == Functions ? null
            : kind is not (1 or 2) ? "unsupported kind of permission; use cache or topic permissions"
            : ReadScope(said, kind == 2, grants);
    }

    // Cache and topic permissions have the same fields: 1 the role, 2 all caches or 3 one cache, 4 all items or 5 some items.
    private static string? ReadScope(ReadOnlySpan<byte> scope, bool isTopic, List<Grant> grants)
    {
        Span<bool> seen = stackalloc bool[6];
        ulong role = 0;
        ReadOnlySpan<byte> cache = default;
        ReadOnlySpan<byte> selector = default;
        ProtoReader reader = new(scope);
        while (reader.NextField())
        {
            int field = reader.Field;
            if (field > 5)
            {
                reader.TrySkip();
                continue;
            }

            // Repeated fields are rejected, because their values could contradict each other.
            if (seen[field])
            {
                return Contradiction;
            }

            seen[field] = true;
            bool isRead = field switch
            {
                1 when reader.WireType == ProtoWireType.Varint => reader.TryReadVarint(out role),
                3 when reader.WireType == ProtoWireType.LengthDelimited => reader.TryReadBytes(out cache),
                5 when reader.WireType == ProtoWireType.LengthDelimited => reader.TryReadBytes(out selector),
                2 or 4 when reader.WireType == ProtoWireType.LengthDelimited => reader.TrySkip(),
                _ => false,
            };
            if (!isRead)
            {
                return "a permission is malformed";
            }
        }

        return reader.IsMalformed ? "a permission is malformed"
            : seen[2] == seen[3] ? (seen[2] ? Contradiction : "a permission does not name a cache; set one cache or all caches")
            : seen[4] && seen[5] ? Contradiction
            : Make(RoleOf(role), isTopic, seen[2] ? null : cache, seen[5], selector, grants, seen[2]);
    }

    private static string? Make(
        Rights rights,
        bool isTopic,
        ReadOnlySpan<byte> cacheSelector,
        bool hasSelector,
        ReadOnlySpan<byte> selector,
        List<Grant> grants,
        bool isEverywhere)
    {
        string? cache = isEverywhere ? Grant.AllCaches : TextOf(cacheSelector);
        if (rights == Rights.None)
        {
            return "a permission has an unknown role";
        }

        if (cache is null || !CacheName.IsValid(cache) || (!isEverywhere && cache == Grant.AllCaches))
        {
            return "a permission has an invalid cache name";
        }

        byte[]? some = null;
        bool isWhole = false;
        if (hasSelector && !TrySelect(selector, isTopic, out some, out isWhole))
        {
            return "a permission's selector must be either an exact name or a non-empty prefix";
        }

        grants.Add(isTopic
            ? new Grant(cache, Rights.None, some, rights, isWhole)
            : new Grant(cache, rights, some, IsKey: isWhole));
        return null;
    }

    // In a CacheSelector, field 1 is the name. It must occur exactly once.
    private static string? TextOf(ReadOnlySpan<byte> selector)
    {
        ReadOnlySpan<byte> name = default;
        int times = 0;
        ProtoReader reader = new(selector);
        while (reader.NextField())
        {
            times += reader.Is(1, ProtoWireType.LengthDelimited) ? 1 : 0;
            _ = reader.Is(1, ProtoWireType.LengthDelimited) ? reader.TryReadBytes(out name) : reader.TrySkip();
        }

        try
        {
            return reader.IsMalformed || times != 1 || name.Length > 4 * CacheName.MaxCharacters ? null : Utf8.GetString(name);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    // In a selector of items or topics, field 1 is the whole name and field 2 a prefix. Exactly one of the fields must occur, exactly once, and it must not be
    // empty.
    private static bool TrySelect(ReadOnlySpan<byte> selector, bool isTopic, out byte[]? some, out bool isWhole)
    {
        some = null;
        isWhole = false;
        ProtoReader reader = new(selector);
        while (reader.NextField())
        {
            if (reader.WireType != ProtoWireType.LengthDelimited || reader.Field > 2)
            {
                reader.TrySkip();
                continue;
            }

            isWhole = reader.Field == 1;
            if (some is not null || !reader.TryReadBytes(out ReadOnlySpan<byte> bytes) || bytes.IsEmpty)
            {
                return false;
            }

            some = bytes.ToArray();
        }

        return !reader.IsMalformed && some is not null && (!isTopic || IsText(some));
    }

    private static bool IsText(byte[] bytes)
    {
        try
        {
            _ = Utf8.GetCharCount(bytes);
            return true;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }

    private static Rights RoleOf(ulong role) => role switch
    {
        1 => Rights.ReadWrite,
        2 => Rights.Read,
        3 => Rights.Write,
        _ => Rights.None,
    };

    private static string? Skip(scoped ref ProtoReader reader)
    {
        reader.TrySkip();
        return null;
    }
}
