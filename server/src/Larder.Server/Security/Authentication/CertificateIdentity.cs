using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Larder.Server.Security;

/// <summary>
/// The identity in a client certificate. It consists of the URI names of the certificate, or of its common name if it has no URI names. The TLS handshake has
/// already verified the certificate.
/// </summary>
/// <param name="Names">The names, in the order in which the certificate contains them.</param>
/// <param name="Expires">The time at which the certificate expires.</param>
internal sealed record CertificateIdentity(IReadOnlyList<string> Names, DateTimeOffset Expires)
{
    // The tag of a URI in the GeneralName of a subjectAltName: [6] IA5String.
    private static readonly Asn1Tag Uri = new(TagClass.ContextSpecific, 6);

    public static CertificateIdentity Of(X509Certificate2 certificate)
    {
        List<string> names = [];
        foreach (X509Extension each in certificate.Extensions)
        {
            if (each is X509SubjectAlternativeNameExtension alternatives)
            {
                AddUris(alternatives, names);
            }
        }

        if (names.Count == 0 && certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false) is { Length: > 0 } name
            && certificate.SubjectName.EnumerateRelativeDistinguishedNames().Any(static part => !part.HasMultipleElements && IsCommonName(part)))
        {
            names.Add(name);
        }

        return new CertificateIdentity(names, certificate.NotAfter.ToUniversalTime());
    }

    private static bool IsCommonName(X500RelativeDistinguishedName part) => part.GetSingleElementType().Value == "2.5.4.3";

    private static void AddUris(X509SubjectAlternativeNameExtension alternatives, List<string> names)
    {
        try
        {
            AsnReader list = new AsnReader(alternatives.RawData, AsnEncodingRules.DER).ReadSequence();
            while (list.HasData)
            {
                if (list.PeekTag().HasSameClassAndValue(Uri))
                {
                    names.Add(list.ReadCharacterString(UniversalTagNumber.IA5String, Uri));
                }
                else
                {
                    list.ReadEncodedValue();
                }
            }
        }
        catch (Exception error) when (error is AsnContentException or CryptographicException)
        {
            // A malformed list of names identifies no caller.
            names.Clear();
        }
    }
}
