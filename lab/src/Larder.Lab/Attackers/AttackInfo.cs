using System.Text.Json.Nodes;

namespace Larder.Lab.Attackers;

/// <summary>An attack, as the attackers' program describes it.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it does.</param>
/// <param name="Server">How the server is configured: <c>Plaintext</c>, <c>Tls</c> or <c>ClientCertificates</c>.</param>
/// <param name="Obstacle">Why it cannot run on this machine; null if it can.</param>
internal sealed record AttackInfo(string Name, string Description, string Server, string? Obstacle)
{
    /// <summary>Whether the server is reached over TLS.</summary>
    public bool IsTls => Server != "Plaintext";

    /// <summary>Whether clients present certificates.</summary>
    public bool HasClientCertificates => Server == "ClientCertificates";

    /// <summary>Reads the attacks of an answer to <c>open</c>.</summary>
    public static IReadOnlyList<AttackInfo> From(JsonObject answer) =>
    [
        .. answer["attacks"]!.AsArray().Select(attack => new AttackInfo(
            (string)attack!["name"]!, (string)attack["description"]!, (string)attack["server"]!, (string?)attack["obstacle"])),
    ];
}
