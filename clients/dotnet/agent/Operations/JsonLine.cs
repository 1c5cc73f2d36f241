using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Larder.Agent;

/// <summary>Reads the fields of a request line in the forms that <c>conformance/AGENT.md</c> allows.</summary>
internal static class JsonLine
{
    /// <summary>Returns a number, or null if the field is absent or null.</summary>
    public static double? Number(this JsonElement line, string field) =>
        line.TryGetProperty(field, out JsonElement value) && value.ValueKind == JsonValueKind.Number ? value.GetDouble() : null;

    /// <summary>Returns a 64-bit integer given as a number or as decimal text, or null if the field is absent.</summary>
    /// <exception cref="AgentException">The field is neither a number nor decimal text, or exceeds 64 bits.</exception>
    public static long? Long(this JsonElement line, string field)
    {
        if (!line.TryGetProperty(field, out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return null;
        }

        if (value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out long number))
        {
            return number;
        }

        return
            value.ValueKind == JsonValueKind.String && long.TryParse(value.GetString(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number)
            ? number
            : throw new AgentException($"{field} must be a signed 64-bit integer, but is {value.GetRawText()}");
    }

    /// <summary>Returns an integer of any size given as a number or as decimal text, or null if the field is absent.</summary>
    /// <exception cref="AgentException">The field is neither a number nor decimal text.</exception>
    public static decimal? Decimal(this JsonElement line, string field) =>
        !line.TryGetProperty(field, out JsonElement value) || value.ValueKind == JsonValueKind.Null ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetDecimal(out decimal number) ? number
        : value.ValueKind == JsonValueKind.String
        && decimal.TryParse(value.GetString(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number)
            ? number
        : throw new AgentException($"{field} must be a number, but is {value.GetRawText()}");

    /// <summary>Returns a string, or null if the field is absent.</summary>
    public static string? Text(this JsonElement line, string field) =>
        line.TryGetProperty(field, out JsonElement value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    /// <summary>Returns a boolean, or <paramref name="otherwise"/> if the field is absent.</summary>
    public static bool Flag(this JsonElement line, string field, bool otherwise) =>
        line.TryGetProperty(field, out JsonElement value) && value.ValueKind is JsonValueKind.True or JsonValueKind.False ? value.GetBoolean() : otherwise;

    /// <summary>Returns bytes given as text under <paramref name="field"/>, or as base64 under the same name with the suffix "Base64".</summary>
    /// <exception cref="AgentException">Both fields are missing.</exception>
    public static byte[] Bytes(this JsonElement line, string field) =>
        line.TryGetProperty(field + "Base64", out JsonElement base64) ? base64.GetBytesFromBase64()
        : line.Text(field) is { } text ? Encoding.UTF8.GetBytes(text)
        : throw new AgentException($"{field} or {field}Base64 is missing");

    /// <summary>Returns a 64-bit integer. Throws if the field is absent.</summary>
    public static long RequireLong(this JsonElement line, string field) => line.Long(field) ?? throw new AgentException($"{field} is missing");

    /// <summary>
    /// Returns the TTL, or null if the field is absent. A TTL that exceeds the maximum of TimeSpan (29,000 years) becomes that maximum, which the client also
    /// rejects.
    /// </summary>
    public static TimeSpan? Ttl(this JsonElement line) =>
        line.Decimal("ttlMs") is not { } ms ? null
        : ms >= (decimal)TimeSpan.MaxValue.TotalMilliseconds ? TimeSpan.MaxValue
        : ms <= (decimal)TimeSpan.MinValue.TotalMilliseconds ? TimeSpan.MinValue
        : new TimeSpan((long)(ms * TimeSpan.TicksPerMillisecond));

    /// <summary>Returns the TTL. Throws if the field is absent.</summary>
    public static TimeSpan RequireTtl(this JsonElement line) => line.Ttl() ?? throw new AgentException("ttlMs is missing");
}
